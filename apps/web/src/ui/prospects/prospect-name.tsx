import { Name } from '../text/name.tsx'
import { DoNotContactMark } from './do-not-contact-mark.tsx'

/** The name of a business in a line of words, with the mark that stands wherever it does. */
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
