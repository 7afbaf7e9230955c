import { render } from 'preact'
import { Shell } from './app/shell.js'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/shell.css'

render(<Shell />, document.getElementById('app')!)
