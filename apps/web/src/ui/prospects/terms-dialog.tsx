import { Dialog } from '../dialogs/dialog.tsx'
import { terms } from './terms.ts'

/** Dialog with the meaning of the product's words. */
export function TermsDialog({ close }: { close: () => void }) {
  return (
    <Dialog onClose={close} title="What the words mean" size="lg">
      <dl>
        {terms.map(({ title, text }) => (
          <div key={title}>
            <dt>
              <strong>{title}</strong>
            </dt>
            {text.map((sentence) => (
              <dd key={sentence}>{sentence}</dd>
            ))}
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
