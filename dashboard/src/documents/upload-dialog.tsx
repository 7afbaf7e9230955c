import { useId, useState } from 'preact/hooks'
import { addressOf, go } from '../app/place.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Select, TextField } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { sayDone } from '../parts/toasts.js'
import { access, type IndexOverview, lookAround } from '../server/overview.js'
import { BatchProgress } from '../tasks/batch-progress.js'
import { texts } from '../texts/index.js'
import { ACCEPTED, contentTypeOf, type Destination, indexNameOf } from './upload.js'
import { type Stage, useUpload } from './upload-run.js'

export interface UploadDialogProps {
  /** Empty where there is none yet. */
  readonly index: string
  /** That were dropped. */
  readonly files: readonly File[]
  onChanged(): void
  onClose(): void
}

/** Chooses files, says where they go, sends them and shows how far they are. */
export function UploadDialog({ index, files: dropped, onChanged, onClose }: UploadDialogProps) {
  const [files, setFiles] = useState<readonly File[]>(dropped)
  const [to, setTo] = useState<Destination>({ index, primaryKey: '', way: 'replace' })
  const destination = to.index === '' && files.length > 0 ? { ...to, index: indexNameOf(files[0]!.name) } : to
  const { stages, isRunning, send } = useUpload()
  const refused = files.filter(({ name }) => contentTypeOf(name) === undefined)
  const isReady = files.length > 0 && refused.length === 0 && destination.index !== ''
  const isOver = stages.length > 0 && !isRunning
  const isAnyDone = stages.some(({ state }) => state === 'done' || state === 'sent')
  // Only then: the screen is another one as soon as there is a first index.
  const close = () => {
    onClose()
    if (stages.length === 0) return
    if (isRunning) sayDone(leftBehind(stages))
    onChanged()
    void lookAround()
  }
  const leave = () => {
    close()
    if (isAnyDone && destination.index !== index) go('documents', [destination.index])
  }
  const actions = isOver ? (
    <Button kind="primary" onClick={leave}>
      {isAnyDone ? texts.documents.show(destination.index) : texts.common.close}
    </Button>
  ) : (
    <>
      <Button onClick={close}>{texts.common.cancel}</Button>
      <Button
        kind="primary"
        icon="upload"
        isBusy={isRunning}
        disabled={!isReady}
        onClick={() => void send(files, destination)}
      >
        {texts.documents.send(files.length)}
      </Button>
    </>
  )
  return (
    <Dialog title={texts.documents.uploadTitle} onClose={close} actions={actions}>
      {stages.length === 0 ? (
        <>
          <FileChooser files={files} refused={refused} onFiles={setFiles} />
          <DestinationForm destination={destination} onChange={setTo} />
        </>
      ) : (
        <ul class="uploads">
          {stages.map((stage, i) => (
            <li key={i}>
              <h3>{files[i]!.name}</h3>
              <StageOf stage={stage} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function FileChooser({
  files,
  refused,
  onFiles,
}: {
  files: readonly File[]
  refused: readonly File[]
  onFiles(files: readonly File[]): void
}) {
  const id = useId()
  return (
    <div
      class="file-chooser"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onFiles([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Icon name="upload" />
      <p>{texts.documents.dropFiles}</p>
      <input
        id={id}
        type="file"
        class="sr-only"
        multiple
        accept={ACCEPTED}
        aria-describedby={`${id}-files`}
        onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
      />
      <label for={id} class="button plain">
        {texts.documents.chooseFiles}
      </label>
      <div id={`${id}-files`}>
        {files.map((file) => (
          <p key={file.name}>
            {file.name} <span class="muted">{texts.documents.size(file.size)}</span>
          </p>
        ))}
        {refused.map(({ name }) => (
          <p key={name} class="refused" role="alert">
            {texts.documents.refused(name)}
          </p>
        ))}
      </div>
    </div>
  )
}

function DestinationForm({
  destination,
  onChange,
}: {
  destination: Destination
  onChange(destination: Destination): void
}) {
  const { index, primaryKey, way } = destination
  const known = knownIndex(index)
  return (
    <>
      <TextField
        label={texts.documents.into}
        help={known === undefined ? texts.documents.newIndex : undefined}
        value={index}
        isCode
        onText={(text) => onChange({ ...destination, index: text.trim() })}
      />
      {(known?.primaryKey ?? null) === null && (
        <TextField
          label={texts.documents.primaryKey}
          help={texts.documents.primaryKeyHelp}
          value={primaryKey}
          isCode
          onText={(text) => onChange({ ...destination, primaryKey: text })}
        />
      )}
      {known !== undefined && (
        <Select
          label={texts.documents.way}
          value={way}
          choices={(['replace', 'merge'] as const).map((value) => ({ value, text: texts.documents.ways[value] }))}
          onChoose={(value) => onChange({ ...destination, way: value === 'merge' ? 'merge' : 'replace' })}
        />
      )}
    </>
  )
}

/** What becomes of files when the dialog is closed before they are done. */
const leftBehind = (stages: readonly Stage[]): string =>
  stages.some(({ state }) => state === 'sending' || state === 'waiting')
    ? texts.documents.givenUp
    : texts.documents.stillIndexed

function knownIndex(index: string): IndexOverview | undefined {
  const current = access.value
  return current.state === 'open' ? current.overview.indexes?.find(({ uid }) => uid === index) : undefined
}

function StageOf({ stage }: { stage: Stage }) {
  switch (stage.state) {
    case 'waiting':
      return <p class="muted">{texts.documents.stages.waiting}</p>
    case 'sending':
      return (
        <label class="sending">
          <span>{texts.documents.stages.sending(stage.share)}</span>
          <progress max={1} value={stage.share} />
        </label>
      )
    case 'sent':
      return <p role="status">{texts.documents.sent}</p>
    case 'enqueued':
      return <p role="status">{texts.documents.stages.enqueued(stage.taskUid)}</p>
    case 'indexing':
      return (
        <>
          <p role="status">{texts.documents.stages.indexing(stage.taskUid)}</p>
          {stage.batch !== undefined && <BatchProgress batch={stage.batch} />}
        </>
      )
    case 'done':
      return (
        <p role="status">
          {texts.documents.stages.done(stage.documents)}{' '}
          <a href={addressOf('tasks', [], { task: String(stage.taskUid) })}>{texts.tasks.task(stage.taskUid)}</a>
        </p>
      )
    case 'failed':
      return (
        <p class="refused" role="alert">
          {stage.failure.message} <code>{stage.failure.code}</code>
        </p>
      )
  }
}
