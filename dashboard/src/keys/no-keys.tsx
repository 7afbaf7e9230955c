import { Empty, Face } from '../parts/faces.js'
import { ask } from '../server/client.js'
import { failureOf } from '../server/failure.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'

/** Keys cannot be listed: because there are none without a master key, or because this one may not. */
export function NoKeys() {
  const loading = useLoaded(reasonOf, [])
  return (
    <Face loading={loading}>
      {(code) =>
        code === 'missing_master_key' ? (
          <Empty icon="keys" title={texts.keys.noMasterKey}>
            <p class="muted">{texts.keys.noMasterKeyHelp}</p>
            <pre class="command">findling --master-key "$MASTER_KEY"</pre>
          </Empty>
        ) : (
          <Empty icon="keys" title={texts.keys.notAllowed}>
            <p class="muted">
              <code>{code}</code>
            </p>
          </Empty>
        )
      }
    </Face>
  )
}

async function reasonOf(signal: AbortSignal): Promise<string> {
  try {
    await ask('get', 'keys?limit=0', { signal })
    return ''
  } catch (error) {
    return failureOf(error).code
  }
}
