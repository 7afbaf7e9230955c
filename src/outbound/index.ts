/**
 * The one way out: every outgoing HTTP request of the server (webhooks, embedders, chat, remotes, exports) goes
 * through this client, which applies the IP policy at the moment of connecting, time-outs and size limits.
 *
 * A call returns an `Outcome`; only the body of a streamed answer throws. Problems never repeat what may be secret.
 */
export type { Outbound, OutboundAnswer, OutboundOptions, OutboundRequest, OutboundStream } from './client.js'
export { type StartTimer, systemTimer } from './deadline.js'
export type { HeaderPair } from './hop.js'
export { createOutbound } from './lazy-client.js'
export { type AllowedNetworks, parseNetworks } from './policy.js'
export { OutboundError, type OutboundProblem, type Outcome } from './problem.js'
export { remoteOrigin, remoteProblem, remoteRefusal, remoteSays } from './remote-failure.js'
