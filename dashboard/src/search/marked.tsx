import { LongText } from '../parts/value.js'
import { MARK_BEGIN, MARK_END } from './query.js'

/** Text with its matches marked. Whatever stands in it is text. */
export function Marked({ text }: { text: string }) {
  if (!text.includes(MARK_BEGIN)) return <LongText text={text} />
  return (
    <>
      {text.split(MARK_BEGIN).map((piece, i) => {
        const [matched, rest] = i === 0 ? ['', piece] : splitOnce(piece, MARK_END)
        return (
          <span key={i}>
            {matched !== '' && <mark>{matched}</mark>}
            <LongText text={rest} />
          </span>
        )
      })}
    </>
  )
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? ['', text] : [text.slice(0, at), text.slice(at + mark.length)]
}
