import { useState } from 'preact/hooks'
import { IconButton } from '../parts/button.js'
import { texts } from '../texts/index.js'
import { Add, Words } from './words.js'

type Synonyms = Readonly<Record<string, readonly string[]>>

const SHOWN = 50

/** The button goes away with its entry: the focus goes to the setting. */
const keepFocus = (event: { currentTarget: HTMLElement }): void => event.currentTarget.closest('section')?.focus()

/** Words, and what they also find. */
export function SynonymMap({ synonyms, onSynonyms }: { synonyms: Synonyms; onSynonyms(next: Synonyms): void }) {
  const [shown, setShown] = useState(SHOWN)
  const words = texts.settings.synonymMap
  const entries = Object.entries(synonyms)
  return (
    <>
      <Add
        label={words.add}
        onAdd={(more) =>
          onSynonyms({
            ...synonyms,
            ...Object.fromEntries(more.map((word) => [word, Object.hasOwn(synonyms, word) ? synonyms[word]! : []])),
          })
        }
      />
      <ul class="map">
        {entries.slice(0, shown).map(([word, others]) => (
          <li key={word}>
            <div class="map-head">
              <strong class="value">{word}</strong>
              <span class="muted">{words.finds}</span>
              <IconButton
                icon="close"
                label={texts.settings.remove(word)}
                onClick={(event) => {
                  keepFocus(event)
                  onSynonyms(Object.fromEntries(entries.filter(([each]) => each !== word)))
                }}
              />
            </div>
            <Words
              name={words.of(word)}
              label={words.addTo(word)}
              words={others}
              onWords={(next) => onSynonyms({ ...synonyms, [word]: next })}
            />
          </li>
        ))}
      </ul>
      {entries.length > shown && (
        <button type="button" class="link" onClick={() => setShown(shown * 10)}>
          {texts.settings.showMore(entries.length - shown)}
        </button>
      )}
    </>
  )
}

type Orders = Readonly<Record<string, string>>

/** By which order values of facets are given: for all, and for some others. */
export function FacetOrders({
  orders,
  attributes,
  onOrders,
}: {
  orders: Orders
  attributes: readonly string[]
  onOrders(next: Orders): void
}) {
  const words = texts.settings.facetOrder
  const others = Object.keys(orders).filter((name) => name !== '*')
  const choose = (name: string) => (
    <select
      aria-label={name === '*' ? words.all : words.of(name)}
      value={orders[name] ?? 'alpha'}
      onChange={(event) => onOrders({ ...orders, [name]: event.currentTarget.value })}
    >
      <option value="alpha">{words.alpha}</option>
      <option value="count">{words.count}</option>
    </select>
  )
  return (
    <div class="facet-orders">
      <p class="sub-label">{words.title}</p>
      <ul class="map">
        <li class="map-line">
          <span>{words.all}</span>
          {choose('*')}
        </li>
        {others.map((name) => (
          <li key={name} class="map-line">
            <span class="value">{name}</span>
            {choose(name)}
            <IconButton
              icon="close"
              label={texts.settings.remove(name)}
              onClick={(event) => {
                keepFocus(event)
                onOrders(Object.fromEntries(Object.entries(orders).filter(([each]) => each !== name)))
              }}
            />
          </li>
        ))}
      </ul>
      <Add
        label={words.add}
        suggestions={attributes.filter((name) => !Object.hasOwn(orders, name))}
        onAdd={(more) => onOrders({ ...orders, ...Object.fromEntries(more.map((name) => [name, 'count'])) })}
      />
    </div>
  )
}
