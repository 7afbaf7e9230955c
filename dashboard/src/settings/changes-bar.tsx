import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import type { Failure } from '../server/failure.js'
import { texts } from '../texts/index.js'
import { type Work, workOf } from './costs.js'
import type { Draft } from './draft.js'
import type { SettingName, Settings } from './model.js'
import type { Progress } from './save.js'

export interface BarProps {
  readonly saved: Settings
  readonly draft: Draft
  readonly changed: readonly SettingName[]
  /** Undefined where the key may not know. */
  readonly documents: number | undefined
  readonly progress: Progress | undefined
  readonly isSaving: boolean
  /** One that is about no setting. */
  readonly failure: Failure | undefined
  onSave(): void
}

/** What saving means, at the end of the page as long as something differs. */
export function ChangesBar(props: BarProps) {
  const { saved, draft, changed, documents, progress, isSaving, failure, onSave } = props
  const [isOpen, setOpen] = useState(false)
  const works = new Map(changed.map((name) => [name, workOf(name, saved, draft.settings)]))
  return (
    <section class="changes" tabIndex={-1} aria-label={texts.settings.changes}>
      {failure !== undefined && (
        <p class="setting-error" role="alert">
          {failure.message} <code>{failure.code}</code>
        </p>
      )}
      <div class="changes-line">
        <div>
          <p role="status">
            <strong>{texts.settings.differ(changed.length)}</strong>{' '}
            {isSaving ? <Saving progress={progress} /> : costOf([...works.values()].flat(), documents)}
          </p>
          {isSaving && <progress aria-label={texts.settings.saving} {...shareOf(progress)} />}
        </div>
        <div class="changes-actions">
          <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {texts.settings.which}
          </Button>
          <Button disabled={isSaving} onClick={() => afterwards(draft.undoAll, 0)}>
            {texts.settings.undoAll}
          </Button>
          <Button kind="primary" isBusy={isSaving} disabled={draft.broken.size > 0} onClick={onSave}>
            {texts.settings.save}
          </Button>
        </div>
      </div>
      {isOpen && (
        <ul class="changes-list">
          {[...works].map(([name, work]) => (
            <li key={name}>
              <span>{texts.settings.names[name]}</span>
              <span class="muted">
                {work.length === 0 ? texts.settings.onlySearches : texts.settings.builds(worksText(work))}
              </span>
              <Button
                kind="quiet"
                disabled={isSaving}
                onClick={() => afterwards(() => draft.undo(name), changed.length - 1)}
              >
                {texts.settings.undo(texts.settings.names[name])}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The button goes away with what it undoes: the focus goes to the bar, or to the page when that goes too. */
function afterwards(act: () => void, left: number): void {
  const next = left === 0 ? '#main' : '.changes'
  document.querySelector<HTMLElement>(next)?.focus()
  act()
}

const worksText = (work: readonly Work[]): string => work.map((each) => texts.settings.works[each]).join(', ')

function costOf(work: readonly Work[], documents: number | undefined): string {
  if (work.length === 0) return texts.settings.costsNothing
  if (documents === 0) return texts.settings.costsEmpty
  return texts.settings.costs(worksText([...new Set(work)]), documents)
}

const shareOf = (progress: Progress | undefined) =>
  progress?.percentage === undefined ? {} : { value: progress.percentage, max: 100 }

function Saving({ progress }: { progress: Progress | undefined }) {
  if (progress === undefined) return <>{texts.settings.sending}</>
  const { taskUid, isRunning, step } = progress
  return <>{isRunning ? texts.settings.running(taskUid, step) : texts.settings.queued(taskUid)}</>
}
