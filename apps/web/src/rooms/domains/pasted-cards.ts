import type { DnsCard, DnsReading } from '@prospect/api-client'

export type PastedCard = {
  /** Identifies the card in the list. */
  key: string
  /** Identifies what is recorded: equal answers of the same time are one observation. */
  recordKey: string
  /** The answer as it was read. */
  content: string
  card: DnsCard
  /** The lines of the card in the text that was read. */
  raw: string
}

/**
 * The cards of a reading, identified by their content. Line numbers are not stable: a line that is typed above a card changes the line number of the
 * card. The text can contain the same content several times, so the key includes a count.
 */
export function pastedCards({ text, cards }: DnsReading & { text: string }): PastedCard[] {
  const lines = text.split('\n')
  const seen = new Map<string, number>()
  return cards.map((card) => {
    const content = JSON.stringify([card.observation, card.readOnly])
    const times = (seen.get(content) ?? 0) + 1
    seen.set(content, times)
    const key = `${content} ${times}`
    return {
      key,
      recordKey: card.observation.observedAt === null ? key : content,
      content,
      card,
      raw: lines.slice(card.lines.from - 1, card.lines.to).join('\n'),
    }
  })
}
