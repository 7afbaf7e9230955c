/**
 * Who wants to hear that tasks finished, and the telling.
 *
 * A registry keeps the webhooks of the interface (spec 2 §5.1-5.3) and a sender calls them after each batch (§5.4),
 * in the background. Beyond the reference, and off by default: repeated calls and signatures of Standard Webhooks.
 */
export type { BacklogLimits } from './backlog.js'
export { WebhookRegistry, type WebhookRegistryOptions } from './registry.js'
export { type WebhookLog, WebhookSender, type WebhookSenderOptions } from './sender.js'
export { toListView, toView } from './view.js'
export { COMMAND_LINE_UUID, commandLineWebhook, type Webhook, type WebhookPatch } from './webhook.js'
