import { withoutUnseen } from '../../normalization/normalization.ts'
import { openingBounds, storedBounds } from '../bounds.ts'
import type { ScanReason } from '../reasons.ts'
import { decodePage } from './decode-page.ts'
import { maskContactValues } from './mask-values.rules.ts'
import { type PageOrder, type ReadPage, type Suspicion, suspicions, withoutMissing } from './page-facts.ts'
import { SHORT_TEXT, suspectedWords } from './page-words.data.ts'
import { collapsed, type PageContent, readHtml } from './read-html.ts'
import { repeatsOf } from './repeats.rules.ts'

/** Characters of a title that are read before its contact values are masked. */
const TITLE_READ = 1_000

/** Parses one page within its limits: visible text, counts, and links to contact and about pages. Runs in a worker thread. */
export function readPage({ bytes, contentType, format, url, known, maxBytes, maxLinks }: PageOrder): ReadPage {
  const kept = bytes.subarray(0, maxBytes)
  const { text: source, charset } = decodePage(kept, contentType)
  const reasons = new Set<ScanReason>()
  if (kept.length < bytes.length) reasons.add('decoded_limit')
  if (charset.isDoubtful) reasons.add('charset_doubtful')
  const page = format === 'text' ? plainPage(source) : readHtml(source, new URL(url), maxLinks, reasons)
  const { title, text, hiddenText, spoken, hasUnread, counts, links, otherHosts } = page
  const shown = collapsed(withoutUnseen(text))
  const repeats = repeatsOf(known, { shown: `${title}\n${text}\n${spoken}`, hidden: hiddenText })
  const plainTitle = collapsed(title.slice(0, TITLE_READ))
  return {
    charset,
    title:
      plainTitle === ''
        ? null
        : maskContactValues(plainTitle, [new URL(url).hostname, ...known.domains]).slice(0, storedBounds.titleLength),
    counts: { ...counts, text: shown.length },
    repeats: hasUnread ? withoutMissing(repeats) : repeats,
    words: wordsFound(plainTitle, shown),
    links,
    otherHosts,
    reasons: [...reasons],
    opening: openingOf(shown, [new URL(url).hostname, ...known.domains]),
  }
}

function plainPage(text: string): PageContent {
  const counts = { links: 0, forms: 0, scripts: 0 }
  return { title: '', text, hiddenText: '', spoken: '', hasUnread: false, counts, links: [], otherHosts: [] }
}

/** Returns the beginning of the visible text. More is masked than is returned, because a value may reach over its end. */
function openingOf(shown: string, domains: readonly string[]): string | null {
  const opening = maskContactValues(shown.slice(0, openingBounds.read), domains).slice(0, openingBounds.length)
  return opening === '' ? null : opening.toWellFormed()
}

function wordsFound(title: string, text: string): Suspicion[] {
  const searched = text.length <= SHORT_TEXT ? `${title}\n${text}` : title
  return suspicions.filter((suspicion) => suspectedWords[suspicion].test(searched))
}
