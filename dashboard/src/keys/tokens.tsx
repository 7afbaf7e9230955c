import { Empty } from '../parts/faces.js'
import { texts } from '../texts/index.js'
import { canSign } from './token.js'
import { TokenMaker } from './token-maker.js'
import { TokenReader } from './token-reader.js'

export function Tokens() {
  if (!canSign()) return <Empty icon="warning" title={texts.keys.token.unsafe} />
  return (
    <section class="keys-section" aria-label={texts.keys.tabs.tokens}>
      <p class="intro">{texts.keys.token.help}</p>
      <div class="tokens">
        <TokenMaker />
        <TokenReader />
      </div>
    </section>
  )
}
