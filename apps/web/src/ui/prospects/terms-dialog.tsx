import { Dialog } from '../dialogs/dialog.tsx'
import { type Term, terms } from './terms.ts'

/** Dialog with the meaning of the product's words. `first`: the word that was asked about, which comes first. */
export function TermsDialog({ first, close }: { first: Term | undefined; close: () => void }) {
  const all = Object.keys(terms).filter((term): term is Term => term in terms)
  const ordered = first === undefined ? all : [first, ...all.filter((term) => term !== first)]
  return (
    <Dialog onClose={close} title="What the words mean" size="lg">
      <dl>
        {ordered.map((term) => (
          <div key={term}>
            <dt>
              <strong>{terms[term].title}</strong>
            </dt>
            {terms[term].text.map((sentence) => (
              <dd key={sentence}>{sentence}</dd>
            ))}
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
