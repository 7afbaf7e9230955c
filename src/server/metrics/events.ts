/** Clients name models as they like, and servers that do not care answer them all. */
const MAX_CHAT_SERIES = 1000
const MAX_MODEL_CHARACTERS = 100
const OTHER_MODELS = 'other'

/** Things that happened since the start, counted for GET /metrics. Whoever sees one happen counts it here. */
export class EventCounters {
  /** Searches cut short by the cutoff. */
  degradedSearches = 0
  personalizedSearches = 0
  private readonly chatSearches = new Map<string, number>()
  private readonly chatUsage = new Map<string, ChatUsage>()

  countChatSearch(type: string): void {
    this.chatSearches.set(type, (this.chatSearches.get(type) ?? 0) + 1)
  }

  countChatTokens(usage: ChatUsage): void {
    const { workspace, promptTokens, completionTokens, totalTokens } = usage
    const model = this.chatModel(usage)
    const series = JSON.stringify([workspace, model])
    const before = this.chatUsage.get(series)
    this.chatUsage.set(series, {
      workspace,
      model,
      promptTokens: promptTokens + (before?.promptTokens ?? 0),
      completionTokens: completionTokens + (before?.completionTokens ?? 0),
      totalTokens: totalTokens + (before?.totalTokens ?? 0),
    })
  }

  /** The model as metrics call it. */
  private chatModel({ workspace, model }: ChatUsage): string {
    const name = model.slice(0, MAX_MODEL_CHARACTERS)
    const isKnown = this.chatUsage.has(JSON.stringify([workspace, name]))
    return isKnown || this.chatUsage.size < MAX_CHAT_SERIES ? name : OTHER_MODELS
  }

  get chatSearchCounts(): ReadonlyMap<string, number> {
    return this.chatSearches
  }

  get chatTokenCounts(): readonly ChatUsage[] {
    return [...this.chatUsage.values()]
  }
}

export interface ChatUsage {
  readonly workspace: string
  readonly model: string
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
}
