import { addressOf, place } from '../app/place.js'
import { access } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { KeyList } from './key-list.js'
import './keys.css'
import { Tokens } from './tokens.js'
import { Webhooks } from './webhooks.js'

const TABS = { keys: KeyList, webhooks: Webhooks, tokens: Tokens }
type Tab = keyof typeof TABS

export default function KeysScreen() {
  const current = access.value
  if (current.state !== 'open') return null
  const { may } = current.overview
  const tabs = (Object.keys(TABS) as Tab[]).filter((tab) => tab !== 'webhooks' || may.has('webhooks'))
  const asked = place.value.params.get('tab') as Tab | null
  const tab = tabs.find((each) => each === asked) ?? 'keys'
  const Opened = TABS[tab]
  return (
    <div class="keys-screen">
      <h1>{texts.screens.keys}</h1>
      <nav class="tabs" aria-label={texts.screens.keys}>
        {tabs.map((each) => (
          <a
            key={each}
            href={addressOf('keys', [], { tab: each === 'keys' ? undefined : each })}
            aria-current={each === tab ? 'page' : undefined}
          >
            {texts.keys.tabs[each]}
          </a>
        ))}
      </nav>
      <Opened />
    </div>
  )
}
