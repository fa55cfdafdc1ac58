import { Dialog } from '../dialogs/dialog.tsx'
import { Fact, Facts } from '../layout/facts.tsx'
import { terms } from './terms.ts'

/** Dialog with the meaning of the product's words. */
export function TermsDialog({ close }: { close: () => void }) {
  return (
    <Dialog onClose={close} title="What the words mean" size="lg">
      <Facts>
        {terms.map(({ title, text }) => (
          <Fact key={title} label={title}>
            {text.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Fact>
        ))}
      </Facts>
    </Dialog>
  )
}
