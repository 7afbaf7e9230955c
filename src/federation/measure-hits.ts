import { LOCAL_STAGE, type Stages } from '../engine/index.js'

/** Hits are formatted after the search, when it is known which are needed; that is a part of it all the same. */
export function measureHits<T>(stages: Stages, format: () => T): T {
  const start = performance.now()
  try {
    return stages.measureRest(`${LOCAL_STAGE} > format`, format)
  } finally {
    stages.add(LOCAL_STAGE, performance.now() - start)
  }
}
