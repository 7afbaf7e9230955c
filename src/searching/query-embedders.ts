import type { Embedder, Embedders } from '../embed/index.js'
import { fail, type Result } from '../errors/index.js'
import type { QueryEmbedders } from '../rank/index.js'

/** Turns queries into vectors with the embedders of this thread. */
export function queryEmbedders(embedders: Embedders): QueryEmbedders {
  return {
    async embed({ embedders: configs, name, q, media, deadline }) {
      // All of the index: one that cannot be opened makes every search by meaning fail (spec 7 §1.1).
      const opened = await Promise.all([...configs].map(([each, config]) => embedders.open(each, config, deadline)))
      const failed = opened.find((result) => !result.ok)
      if (failed !== undefined) return failed as Result<never>
      const asked = opened.map((result) => (result as { value: Embedder }).value).find((each) => each.name === name)
      if (asked === undefined) return fail('invalid_search_embedder', `There is no embedder \`${name}\`.`)
      return asked.embedQuery({ ...(q === null ? {} : { text: q }), ...(media === null ? {} : { media }) }, deadline)
    },
  }
}
