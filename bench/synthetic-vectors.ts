import { seededRandom } from '../test/random.js'

const TOPIC_DIMENSIONS = 48
const TOPICS = 200

/** Vectors that look like those of texts: topics that overlap, a common direction, and noise in all dimensions. */
export class VectorMaker {
  private readonly random: () => number
  private readonly mixing: Float32Array
  private readonly common: Float32Array
  private readonly topics: readonly Float32Array[]

  constructor(dimensions: number, seed = 42) {
    this.random = seededRandom(seed)
    this.mixing = this.gausses(TOPIC_DIMENSIONS * dimensions)
    this.common = this.gausses(dimensions)
    this.topics = Array.from({ length: TOPICS }, () => this.gausses(TOPIC_DIMENSIONS))
  }

  next(): Float32Array {
    const { common, mixing } = this
    const dimensions = common.length
    const topic = this.topics[Math.floor(this.random() * TOPICS)]!.map((each) => 0.7 * each + 0.7 * this.gauss())
    return common.map((each, i) => {
      let sum = 0
      for (let k = 0; k < TOPIC_DIMENSIONS; k++) sum += topic[k]! * mixing[k * dimensions + i]!
      return sum / Math.sqrt(TOPIC_DIMENSIONS) + 0.6 * each + 0.5 * this.gauss()
    })
  }

  private gauss(): number {
    return Math.sqrt(-2 * Math.log(this.random() + 1e-12)) * Math.cos(2 * Math.PI * this.random())
  }

  private gausses(length: number): Float32Array {
    return Float32Array.from({ length }, () => this.gauss())
  }
}
