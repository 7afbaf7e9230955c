import { useMay } from '../server/may.js'
import { access } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { Backups } from './backups.js'
import { ClusterPanel } from './cluster.js'
import { Facts } from './facts.js'
import { Features } from './features.js'
import { Live } from './live.js'
import { Logs } from './logs.js'
import { NetworkPanel } from './network.js'
import './server.css'

const WRONG = {
  switch: { method: 'patch', path: 'experimental-features', body: { nothing: true } },
  metrics: { method: 'post', path: 'logs/stream', body: { mode: 'nothing' } },
} as const

export default function ServerScreen() {
  const may = useMay(WRONG)
  const current = access.value
  if (current.state !== 'open') return null
  const { features, may: abilities } = current.overview
  const maySwitch = may.has('switch')
  return (
    <div class="server-screen">
      <h1>{texts.screens.server}</h1>
      <Facts />
      {may.has('metrics') && <Live isOn={features.metrics === true} maySwitch={maySwitch} />}
      <ClusterPanel />
      {features.network === true && <NetworkPanel />}
      {abilities.has('tasks') && <Backups />}
      {may.has('metrics') && features.logsRoute === true && <Logs />}
      {abilities.has('features') && <Features features={features} maySwitch={maySwitch} />}
    </div>
  )
}
