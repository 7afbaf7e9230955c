/**
 * Secrets in answers and logs: enough of a key to recognize it, too little to use it (spec 2 §5.3, spec 4 §4.8), and
 * which names and places hold secrets.
 */
export { maskCredentials, maskHeader } from './mask-header.js'
export { maskSecret } from './mask-secret.js'
export { maskQuery, maskUrl } from './mask-url.js'
export { IN_CLEAR, MASKED, type Secrecy, unmasked } from './secrecy.js'
export { isSecretName } from './secret-name.js'
