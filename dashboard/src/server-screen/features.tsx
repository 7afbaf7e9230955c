import { useState } from 'preact/hooks'
import { Toggle } from '../parts/field.js'
import { sayFailed } from '../parts/toasts.js'
import { ask } from '../server/client.js'
import { lookAround } from '../server/overview.js'
import { texts } from '../texts/index.js'

/** At once, and for all who use the server. */
export async function switchFeature(name: string, isOn: boolean): Promise<void> {
  await ask('patch', 'experimental-features', { body: { [name]: isOn } })
  await lookAround()
}

export function Features({ features, maySwitch }: { features: Readonly<Record<string, boolean>>; maySwitch: boolean }) {
  /** What was asked for: shown until the server has answered, so that a switch does not snap back meanwhile. */
  const [asked, setAsked] = useState<Readonly<Record<string, boolean>>>({})
  const toggle = async (name: string, isOn: boolean) => {
    setAsked({ [name]: isOn })
    try {
      await switchFeature(name, isOn)
    } catch (error) {
      sayFailed(error)
    }
    setAsked({})
  }
  return (
    <section class="panel" aria-label={texts.server.features}>
      <h2>{texts.server.features}</h2>
      <p class="muted">{texts.server.featuresHelp}</p>
      <div class="features">
        {Object.entries(features).map(([name, isOn]) => (
          <Toggle
            key={name}
            label={name}
            help={(texts.server.featureTexts as Record<string, string>)[name] ?? ''}
            isOn={asked[name] ?? isOn}
            disabled={!maySwitch}
            onToggle={(next) => void toggle(name, next)}
          />
        ))}
      </div>
    </section>
  )
}
