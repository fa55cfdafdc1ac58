import type { AssistStatus } from '@prospect/api-client'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { sentenceCase } from '../../ui/text/sentence-case.ts'
import classes from './assist.module.css'
import { itemWords, resolverWords } from './assist-words.ts'

/** Missing requirements of assistance, since when, and who can resolve each. */
export function MissingItems({ items }: Pick<AssistStatus, 'items'>) {
  return (
    <ul className={classes.reasons} aria-label="What is missing">
      {items
        .filter(({ state }) => state !== 'present')
        .map(({ key, state, detail, since, resolvableBy }) => (
          <li key={key}>
            <strong>{itemWords[key]}</strong>: {state}. <Name of={localSentence(detail)} />{' '}
            {since !== null && (
              <>
                Since <DateTime at={since} />.{' '}
              </>
            )}
            {sentenceCase(resolverWords[resolvableBy])} can resolve this.
          </li>
        ))}
    </ul>
  )
}
