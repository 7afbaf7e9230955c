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

  countChatTokens({ workspace, model, promptTokens, completionTokens, totalTokens }: ChatUsage): void {
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
