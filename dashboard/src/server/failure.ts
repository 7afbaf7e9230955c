import { MeilisearchApiError, MeilisearchRequestError, MeilisearchRequestTimeOutError } from 'meilisearch'
import { texts } from '../texts/index.js'

/** What a request came to, if not to an answer. */
export interface Failure {
  /** Of the catalogue, or of this page where the server said nothing. */
  readonly code: string
  readonly message: string
  readonly link: string | undefined
  /** Undefined where there was no answer. */
  readonly status: number | undefined
}

export function failureOf(error: unknown): Failure {
  if (error instanceof MeilisearchApiError) {
    const { cause, response } = error
    return {
      code: cause?.code ?? `http_${response.status}`,
      message: cause?.message ?? texts.failures.noReason(response.status),
      link: cause?.link,
      status: response.status,
    }
  }
  const isSilent = error instanceof MeilisearchRequestError || error instanceof MeilisearchRequestTimeOutError
  const message = isSilent ? texts.failures.noAnswer : String((error as Error)?.message ?? error)
  return { code: isSilent ? 'no_answer' : 'page_error', message, link: undefined, status: undefined }
}

/** Not a failure: whoever asked does not want to know any more. */
export const isAborted = (error: unknown): boolean =>
  (error as Error)?.name === 'AbortError' || ((error as Error)?.cause as Error | undefined)?.name === 'AbortError'

/** The server wants a key, or another one. */
export const isUnauthorized = ({ status }: Failure): boolean => status === 401 || status === 403
