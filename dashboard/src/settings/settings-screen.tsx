import { useEffect, useState } from 'preact/hooks'
import { addressOf, go, place } from '../app/place.js'
import type { ScreenProps } from '../app/screens.js'
import { Button } from '../parts/button.js'
import { Confirm } from '../parts/dialog.js'
import { Face } from '../parts/faces.js'
import { downloadJson, JsonFileButton } from '../parts/file.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { ask } from '../server/client.js'
import type { Failure } from '../server/failure.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { ChangesBar } from './changes-bar.js'
import { differences, isSame, patchOf } from './differences.js'
import { type Draft, useDraft } from './draft.js'
import { Editor } from './editors.js'
import { useLeaving } from './leaving.js'
import {
  DEFAULTS,
  SECTION_NAMES,
  type SectionName,
  type SettingName,
  type Settings,
  sectionOf,
  settingsOf,
} from './model.js'
import { mayFollow, type Progress, save, settingOf } from './save.js'
import { readImported } from './shapes.js'
import './settings.css'

/** What the forms are about. */
interface Known {
  readonly settings: Settings
  readonly documents: number | undefined
  readonly attributes: readonly string[]
  /** Of this look at the server: what was not saved before the next one is given up. */
  readonly turn: number
}

let turns = 0

export default function SettingsScreen({ index }: ScreenProps) {
  const loading = useLoaded(() => lookAt(index), [index])
  return (
    <div class="settings-screen">
      <h1>{texts.settings.title(index)}</h1>
      <Face loading={loading}>
        {(known) => <Form key={known.turn} index={index} known={known} onSaved={loading.reload} />}
      </Face>
    </div>
  )
}

async function lookAt(index: string): Promise<Known> {
  const path = `indexes/${encodeURIComponent(index)}`
  const [settings, stats] = await Promise.all([
    ask<Settings>('get', `${path}/settings`),
    ask<{ numberOfDocuments: number; fieldDistribution: Record<string, number> }>('get', `${path}/stats`).catch(
      () => undefined,
    ),
  ])
  return {
    settings,
    documents: stats?.numberOfDocuments,
    attributes: Object.keys(stats?.fieldDistribution ?? {}),
    turn: ++turns,
  }
}

interface Failing {
  readonly failure: Failure
  readonly setting: SettingName | undefined
}

function Form({ index, known, onSaved }: { index: string; known: Known; onSaved(): void }) {
  const { settings: saved, documents } = known
  const draft = useDraft(saved)
  const { failing, setFailing, isSaving, progress, start } = useSaving(index, saved, draft, onSaved)
  const changed = [...new Set([...differences(saved, draft.settings), ...draft.broken.keys()])]
  const leaving = useLeaving(index, changed.length > 0 && !isSaving)
  const section = currentSection()
  return (
    <>
      <FileActions index={index} saved={saved} draft={draft} onImport={() => setFailing(undefined)} />
      <div class="settings-body" inert={isSaving}>
        <SectionList index={index} saved={saved} current={section} changed={changed} />
        <div class="settings-list">
          {settingsOf(section, saved).map((name) => (
            <Setting
              key={name}
              name={name}
              draft={draft}
              attributes={known.attributes}
              isChanged={changed.includes(name)}
              failure={failing?.setting === name ? failing.failure : undefined}
            />
          ))}
        </div>
      </div>
      {changed.length > 0 && (
        <ChangesBar
          {...{ saved, draft, changed, documents, isSaving, progress }}
          failure={failing !== undefined && failing.setting === undefined ? failing.failure : undefined}
          onSave={start}
        />
      )}
      {leaving.wanted !== undefined && (
        <Confirm
          title={texts.settings.leaveTitle}
          text={texts.settings.leaveText(changed.length)}
          action={texts.settings.leave}
          onConfirm={leaving.leave}
          onClose={leaving.stay}
        />
      )}
    </>
  )
}

function currentSection(): SectionName {
  const named = place.value.params.get('section')
  return SECTION_NAMES.find((name) => name === named) ?? 'attributes'
}

/** One request with what differs, then its task; what goes wrong is shown at the setting that it is about. */
function useSaving(index: string, saved: Settings, draft: Draft, onSaved: () => void) {
  const [failing, setFailing] = useState<Failing | undefined>()
  const [isSaving, setSaving] = useState(false)
  const [progress, setProgress] = useState<Progress | undefined>()
  const run = async () => {
    const patch = patchOf(saved, draft.settings)
    const names = Object.keys(patch) as SettingName[]
    setSaving(true)
    setFailing(undefined)
    setProgress(undefined)
    const failure = await save(index, patch, setProgress)
    if (failure === undefined) {
      document.getElementById('main')?.focus()
      sayDone(mayFollow() ? texts.settings.saved(names.length) : texts.settings.sent)
      onSaved()
      return
    }
    setSaving(false)
    const setting = settingOf(failure, names)
    setFailing({ failure, setting })
    if (setting !== undefined) go('settings', [index], { section: sectionOf(setting) })
  }
  return { failing, setFailing, isSaving, progress, start: () => void run() }
}

function FileActions({
  index,
  saved,
  draft,
  onImport,
}: {
  index: string
  saved: Settings
  draft: Draft
  onImport(): void
}) {
  const take = (file: unknown) => {
    const imported = readImported(file, saved)
    if (imported === undefined) return sayFailed(new Error(texts.settings.noSettings))
    const { settings, refused } = imported
    if (refused.length > 0) sayFailed(new Error(texts.settings.refused(refused)))
    draft.take(settings)
    onImport()
    sayDone(texts.settings.imported(differences(saved, { ...saved, ...settings }).length))
  }
  return (
    <div class="settings-files">
      <p class="muted">{texts.settings.what}</p>
      <Button icon="download" onClick={() => downloadJson(`${index}-settings.json`, saved)}>
        {texts.settings.export}
      </Button>
      <JsonFileButton label={texts.settings.import} onValue={take} />
    </div>
  )
}

function SectionList({
  index,
  saved,
  current,
  changed,
}: {
  index: string
  saved: Settings
  current: SectionName
  changed: readonly SettingName[]
}) {
  return (
    <nav class="sections" aria-label={texts.settings.sectionList}>
      <ul>
        {SECTION_NAMES.map((name) => {
          const count = settingsOf(name, saved).filter((each) => changed.includes(each)).length
          return (
            <li key={name}>
              <a
                href={addressOf('settings', [index], { section: name })}
                aria-current={name === current ? 'true' : undefined}
              >
                {texts.settings.sections[name]}
                {count > 0 && (
                  <span class="badge">
                    {count} <span class="sr-only">{texts.settings.changed}</span>
                  </span>
                )}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface SettingProps {
  readonly name: SettingName
  readonly draft: Draft
  readonly attributes: readonly string[]
  readonly isChanged: boolean
  readonly failure: Failure | undefined
}

function Setting({ name, draft, attributes, isChanged, failure }: SettingProps) {
  const id = `setting-${name}`
  const title = texts.settings.names[name]
  useEffect(() => {
    if (failure !== undefined) document.getElementById(id)?.focus()
  }, [failure])
  // The buttons go away with what they undo.
  const act = (change: (name: SettingName) => void) => {
    document.getElementById(id)?.focus()
    change(name)
  }
  return (
    <section
      class={`setting ${failure === undefined ? '' : 'wrong'}`}
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
    >
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {isChanged && <span class="badge">{texts.settings.changed}</span>}
        <div class="setting-actions">
          {isChanged && (
            <Button kind="quiet" aria-label={texts.settings.undo(title)} onClick={() => act(draft.undo)}>
              {texts.settings.undoShort}
            </Button>
          )}
          {!isSame(draft.settings[name], DEFAULTS[name]) && (
            <Button kind="quiet" aria-label={texts.settings.reset(title)} onClick={() => act(draft.reset)}>
              {texts.settings.resetShort}
            </Button>
          )}
        </div>
      </header>
      <p class="muted about">{texts.settings.about[name]}</p>
      {failure !== undefined && (
        <p class="setting-error" role="alert">
          {failure.message} <code>{failure.code}</code>
        </p>
      )}
      <Editor name={name} draft={draft} attributes={attributes} />
    </section>
  )
}
