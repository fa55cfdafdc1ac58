import type { ScoringVersion } from '@prospect/api-client'
import { localSentence } from '../../../ui/text/api-sentence.ts'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import {
  bandWords,
  evidenceRuleWords,
  groupLimitWords,
  roundingWords,
  straddlingWords,
  tieBreakWords,
} from './content-words.ts'

/** Rules of a version as sentences. */
export function VersionContent({ version }: { version: ScoringVersion }) {
  const { content, words } = version
  return (
    <div className={classes.stack}>
      {content.groups.map((group) => (
        <section key={group.id} aria-label={`Group ${group.name}`}>
          <h3 className={classes.groupName}>
            <Name of={group.name} />
            <span>{groupLimitWords(group)}</span>
          </h3>
          {group.rules.length === 0 ? (
            <p className={classes.note}>No rules yet.</p>
          ) : (
            <ul className={classes.list}>
              {group.rules.map(({ id }) => (
                <li key={id}>
                  <Name of={localSentence(words[id] ?? id)} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      <section aria-label="Requirements">
        <h3>Requirements</h3>
        {content.gates.length === 0 ? (
          <p className={classes.note}>
            There are no requirements, so all prospects that can be contacted are eligible.
          </p>
        ) : (
          <ul className={classes.list}>
            {content.gates.map(({ id }) => (
              <li key={id}>
                <Name of={localSentence(words[id] ?? id)} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Bands">
        <h3>Priority bands</h3>
        <ul className={classes.list}>
          {content.bands.map((band, at) => (
            <li key={band.id}>
              <Name of={bandWords(content.bands, at)} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Evidence, ranges, rounding and order">
        <h3>Evidence, ranges, rounding and order</h3>
        <ul className={classes.list}>
          <li>A do-not-contact mark overrides every rule. Prospects with such a mark have no score.</li>
          <li>{evidenceRuleWords(content)}</li>
          <li>{straddlingWords[content.straddling]}</li>
          <li>{roundingWords[content.rounding]}</li>
          <li>{tieBreakWords[content.tieBreak]}</li>
        </ul>
      </section>
    </div>
  )
}
