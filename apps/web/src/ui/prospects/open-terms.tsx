import { showOverPage } from '../dialogs/over-page.tsx'
import { lazyPart } from '../lazy/lazy-part.tsx'

const TermsDialog = lazyPart<{ close: () => void }>('terms', () =>
  import('./terms-dialog.tsx').then((module) => module.TermsDialog),
)

/** Opens the meaning of the product's words over the page. */
export const openTerms = (): void => showOverPage(<TermsDialog close={() => showOverPage(null)} />)
