import { useState } from 'preact/hooks'
import { go, place } from '../app/place.js'
import { Button } from '../parts/button.js'
import { Empty, Face } from '../parts/faces.js'
import { Select } from '../parts/field.js'
import { sayFailed } from '../parts/toasts.js'
import { ask, client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { access, lookAround } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { Talk } from './talk.js'
import { WorkspaceForm } from './workspace-form.js'
import './chat.css'

const MOST_WORKSPACES = 100

/** Questions to the documents, answered by a model. */
export default function ChatScreen() {
  const current = access.value
  const isOn = current.state === 'open' && current.overview.features.chatCompletions !== false
  return (
    <div class="chat-screen">
      <h1>{texts.screens.chat}</h1>
      {isOn ? <Workspaces /> : <SwitchedOff />}
    </div>
  )
}

function SwitchedOff() {
  const switchOn = async () => {
    try {
      await client.value.updateExperimentalFeatures({ chatCompletions: true })
      await lookAround()
    } catch (error) {
      sayFailed(error)
    }
  }
  return (
    <Empty icon="chat" title={texts.chat.off}>
      <p class="muted">{texts.chat.offHelp}</p>
      <Button kind="primary" onClick={() => void switchOn()}>
        {texts.chat.switchOn}
      </Button>
    </Empty>
  )
}

function Workspaces() {
  const [edited, setEdited] = useState<string | undefined>()
  const loading = useLoaded(
    () => ask<{ results: readonly { uid: string }[] }>('get', `chats?limit=${MOST_WORKSPACES}`),
    [],
  )
  const saved = (uid: string) => {
    setEdited(undefined)
    loading.reload()
    go('chat', [uid])
  }
  return (
    <>
      <Face loading={loading}>
        {({ results }) => {
          const uids = results.map(({ uid }) => uid)
          const chosen = uids.find((uid) => uid === place.value.path[0]) ?? uids[0]
          if (chosen === undefined) return <NoWorkspace onMake={() => setEdited('')} />
          return (
            <>
              <div class="workspace-line">
                <Select
                  label={texts.chat.workspace}
                  value={chosen}
                  choices={uids.map((uid) => ({ value: uid, text: uid }))}
                  onChoose={(uid) => go('chat', [uid])}
                />
                <Button icon="edit" onClick={() => setEdited(chosen)}>
                  {texts.chat.edit}
                </Button>
                <Button icon="plus" onClick={() => setEdited('')}>
                  {texts.chat.make}
                </Button>
              </div>
              <Talk key={chosen} workspace={chosen} />
            </>
          )
        }}
      </Face>
      {edited !== undefined && (
        <WorkspaceForm
          workspace={edited}
          onSaved={saved}
          onDeleted={() => saved('')}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function NoWorkspace({ onMake }: { onMake(): void }) {
  return (
    <Empty icon="chat" title={texts.chat.none}>
      <p class="muted">{texts.chat.noneHelp}</p>
      <Button kind="primary" onClick={onMake}>
        {texts.chat.make}
      </Button>
    </Empty>
  )
}
