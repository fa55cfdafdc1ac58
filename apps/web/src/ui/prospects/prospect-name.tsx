import { Name } from '../text/name.tsx'
import { DoNotContactMark } from './do-not-contact-mark.tsx'

/** Name of a business within text, with the do-not-contact mark if it is blocked. */
export function ProspectName({ name, doNotContact }: { name: string; doNotContact: boolean | null }) {
  return (
    <>
      <Name of={name} />
      {doNotContact === true && (
        <>
          {' '}
          <DoNotContactMark />
        </>
      )}
    </>
  )
}
