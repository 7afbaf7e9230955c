/** Secrets in answers: enough of a key to recognize it, too little to use it (spec 2 §5.3, spec 4 §4.8). */
export { maskSecret } from './mask-secret.js'
