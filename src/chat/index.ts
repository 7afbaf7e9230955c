/**
 * Conversations with a language model on top of search: the workspaces that say which model and how to speak to it,
 * the requests of clients, and the loop in which the model searches until it can answer.
 *
 * The room knows no HTTP server and no index. Who may search what is the business of the `Search` it is handed.
 */
export {
  type CompletionRequest,
  checkSupported,
  completionRequest,
  readNotifications,
} from './conversation/completion-request.js'
export { type ConversationOptions, converse } from './conversation/converse.js'
export type { Search, SearchOutcome, WantedSearch } from './conversation/search-call.js'
export type { Notification, OfferedIndex } from './conversation/tools.js'
export type { Usage } from './provider/chunk.js'
export { type Endpoint, endpointOf } from './provider/endpoint.js'
export { openProvider, type Provider, type ProviderOptions } from './provider/provider.js'
export type { WorkspaceSettings } from './workspace/settings.js'
export { type SettingsPatch, settingsPatch } from './workspace/settings-patch.js'
export { changedSettings, shownSettings } from './workspace/settings-view.js'
export { WorkspaceStore } from './workspace/workspace-store.js'
