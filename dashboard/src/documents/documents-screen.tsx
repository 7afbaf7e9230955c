import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ScreenProps } from '../app/screens.js'
import { Button } from '../parts/button.js'
import { Empty, Failed, Waiting } from '../parts/faces.js'
import { Select, TextField } from '../parts/field.js'
import type { Failure } from '../server/failure.js'
import { useMay, type WrongRequest } from '../server/may.js'
import { texts } from '../texts/index.js'
import { DocumentList } from './document-list.js'
import { DocumentSheet } from './document-sheet.js'
import { Editor } from './editor.js'
import { type DocumentPages, type Listed, pathOf, useDocumentPages } from './pages.js'
import { type DocumentQuery, documentQuery, openDocument, showFilter, showSort } from './query.js'
import { UploadDialog } from './upload-dialog.js'
import './documents.css'

type Ability = 'add' | 'delete'

/** Without documents, and without a filter: refused in any case, but for different reasons. */
const wrongRequests = (index: string): Record<Ability, WrongRequest> => ({
  add: { method: 'post', path: `${pathOf(index)}/documents` },
  delete: { method: 'post', path: `${pathOf(index)}/documents/delete`, body: {} },
})

export default function DocumentsScreen({ index }: ScreenProps) {
  return index === '' ? <WithoutIndex /> : <OfIndex index={index} />
}

/** The first file makes the first index. */
function WithoutIndex() {
  const [files, setFiles] = useState<readonly File[] | undefined>()
  return (
    <DropZone isOn onFiles={setFiles}>
      <NoDocuments title={texts.documents.noIndex} onUpload={() => setFiles([])} />
      {files !== undefined && (
        <UploadDialog index="" files={files} onChanged={() => {}} onClose={() => setFiles(undefined)} />
      )}
    </DropZone>
  )
}

function OfIndex({ index }: { index: string }) {
  const query = documentQuery()
  const pages = useDocumentPages(index, query)
  const allowed = useMay<Ability>(wrongRequests(index))
  const [files, setFiles] = useState<readonly File[] | undefined>()
  const [isAdding, setAdding] = useState(false)
  const { reload } = pages.first
  const primaryKey = pages.listed?.primaryKey ?? null
  return (
    <DropZone isOn={allowed.has('add')} onFiles={setFiles}>
      <Head
        index={index}
        total={pages.listed?.total}
        canAdd={allowed.has('add')}
        onAdd={() => setAdding(true)}
        onUpload={() => setFiles([])}
      />
      <Body pages={pages} query={query} onUpload={allowed.has('add') ? () => setFiles([]) : undefined} />
      {query.openId !== null && (
        <DocumentSheet
          key={query.openId}
          index={index}
          id={query.openId}
          primaryKey={primaryKey}
          allowed={allowed}
          onChanged={reload}
          onClose={() => openDocument(undefined)}
        />
      )}
      {isAdding && (
        <Editor
          index={index}
          primaryKey={primaryKey}
          id={undefined}
          text={texts.documents.newDocument(primaryKey ?? 'id')}
          onStored={() => [setAdding(false), reload()]}
          onClose={() => setAdding(false)}
        />
      )}
      {files !== undefined && (
        <UploadDialog index={index} files={files} onChanged={reload} onClose={() => setFiles(undefined)} />
      )}
    </DropZone>
  )
}

interface DropZoneProps {
  readonly isOn: boolean
  onFiles(files: readonly File[]): void
  readonly children: ComponentChildren
}

/** Files may be dropped anywhere on the screen. */
function DropZone({ isOn, onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => isOn && event.dataTransfer?.types.includes('Files') === true
  return (
    <div
      class={`documents-screen ${isOver ? 'drop-here' : ''}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer!.files])
      }}
    >
      {children}
    </div>
  )
}

interface HeadProps {
  readonly index: string
  readonly total: number | undefined
  readonly canAdd: boolean
  onAdd(): void
  onUpload(): void
}

function Head({ index, total, canAdd, onAdd, onUpload }: HeadProps) {
  return (
    <header class="documents-head">
      <h1>{texts.documents.title(index)}</h1>
      <p class="muted" role="status">
        {total === undefined ? '' : texts.documents.count(total)}
      </p>
      {canAdd && (
        <div class="documents-actions">
          <Button icon="plus" onClick={onAdd}>
            {texts.documents.addOne}
          </Button>
          <Button kind="primary" icon="upload" onClick={onUpload}>
            {texts.documents.upload}
          </Button>
        </div>
      )}
    </header>
  )
}

interface BodyProps {
  readonly pages: DocumentPages
  readonly query: DocumentQuery
  readonly onUpload: (() => void) | undefined
}

function Body({ pages, query, onUpload }: BodyProps) {
  const { first, listed, loadMore } = pages
  const failure = first.loaded.state === 'failed' ? first.loaded.failure : undefined
  const isOfFilter = failure !== undefined && /^invalid_(document|search)_filter$/.test(failure.code)
  const isOfSort = failure?.code === 'invalid_document_sort'
  if (failure?.code === 'index_not_found') return <NoDocuments title={failure.message} onUpload={onUpload} />
  if (failure !== undefined && !isOfFilter && !isOfSort) return <Failed failure={failure} onRetry={first.reload} />
  const isEmpty = listed?.total === 0 && query.filter.trim() === ''
  if (isEmpty) return <NoDocuments title={texts.documents.none} onUpload={onUpload} />
  return (
    <>
      <Bar
        query={query}
        listed={listed}
        filterFailure={isOfFilter ? failure : undefined}
        sortFailure={isOfSort ? failure : undefined}
      />
      <Found listed={listed} isFailed={failure !== undefined} query={query} loadMore={loadMore} />
    </>
  )
}

interface FoundProps {
  readonly listed: Listed | undefined
  readonly isFailed: boolean
  readonly query: DocumentQuery
  loadMore(): void
}

/** What was there stays while a filter is being written. */
function Found({ listed, isFailed, query, loadMore }: FoundProps) {
  if (listed === undefined) return isFailed ? null : <Waiting />
  if (listed.rows.length === 0)
    return (
      <Empty icon="search" title={texts.documents.noneFound}>
        <p class="muted">{texts.documents.noneFoundHelp}</p>
      </Empty>
    )
  return <DocumentList key={`${query.filter} ${query.sort}`} listed={listed} onOpen={openDocument} onEnd={loadMore} />
}

function NoDocuments({ title, onUpload }: { title: string; onUpload: (() => void) | undefined }) {
  return (
    <Empty icon="documents" title={title}>
      {onUpload !== undefined && (
        <>
          <p class="muted">{texts.documents.noneHelp}</p>
          <Button kind="primary" icon="upload" onClick={onUpload}>
            {texts.documents.upload}
          </Button>
        </>
      )}
    </Empty>
  )
}

interface BarProps {
  readonly query: DocumentQuery
  readonly listed: Listed | undefined
  readonly filterFailure: Failure | undefined
  readonly sortFailure: Failure | undefined
}

function Bar({ query, listed, filterFailure, sortFailure }: BarProps) {
  const { filterable = [], sortable = [] } = listed ?? {}
  const ways = sortable.flatMap((name) =>
    (['asc', 'desc'] as const).map((way) => ({ value: `${name}:${way}`, text: texts.search.sortBy(name, way) })),
  )
  const isKnown = query.sort === '' || ways.some(({ value }) => value === query.sort)
  return (
    <div class="documents-bar">
      <TextField
        label={texts.documents.filter}
        help={filterable.length === 0 ? texts.search.noFilters : texts.documents.filterHelp(filterable)}
        error={filterFailure && `${filterFailure.message} (${filterFailure.code})`}
        value={query.filter}
        isCode
        onText={showFilter}
      />
      <Select
        label={texts.search.sort}
        help={sortable.length === 0 && listed !== undefined ? texts.documents.noSorts : undefined}
        error={sortFailure && `${sortFailure.message} (${sortFailure.code})`}
        value={query.sort}
        choices={[
          { value: '', text: texts.documents.asStored },
          ...(isKnown ? [] : [{ value: query.sort, text: query.sort }]),
          ...ways,
        ]}
        onChoose={showSort}
      />
    </div>
  )
}
