import { showOverPage } from '../dialogs/over-page.tsx'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { Term } from './terms.ts'

export const TermsDialog = lazyPart<{ first: Term | undefined; close: () => void }>('terms', () =>
  import('./terms-dialog.tsx').then((module) => module.TermsDialog),
)

const close = () => showOverPage(null)

/** Opens the meaning of the product's words over the page. */
export function openTerms(first?: Term): void {
  showOverPage(<TermsDialog first={first} close={close} />)
}
