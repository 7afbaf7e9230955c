import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { ask, client } from '../server/client.js'
import { texts } from '../texts/index.js'

type Kind = 'dumps' | 'snapshots'

const POLL_MS = 250

export function Backups() {
  const [busy, setBusy] = useState<Kind | undefined>()
  const write = async (kind: Kind) => {
    setBusy(kind)
    try {
      const { taskUid } = await ask<{ taskUid: number }>('post', kind)
      const { error, details } = await client.value.tasks.waitForTask(taskUid, { timeout: 0, interval: POLL_MS })
      if (error) throw new Error(error.message)
      sayDone(kind === 'dumps' ? texts.server.dumpDone(String(details?.dumpUid)) : texts.server.snapshotDone)
    } catch (error) {
      sayFailed(error)
    }
    setBusy(undefined)
  }
  return (
    <section class="panel" aria-label={texts.server.backups}>
      <h2>{texts.server.backups}</h2>
      <dl class="backups">
        {(['dumps', 'snapshots'] as const).map((kind) => (
          <div key={kind}>
            <dt>
              <Button isBusy={busy === kind} onClick={() => void write(kind)}>
                {texts.server.write[kind]}
              </Button>
            </dt>
            <dd class="muted">{texts.server.writeHelp[kind]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
