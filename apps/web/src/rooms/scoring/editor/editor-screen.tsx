import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { signalsQuery, versionQuery } from '../scoring.queries.ts'
import { RuleEditor } from './rule-editor.tsx'

/** Editor of a draft version. All other versions are frozen. */
export function EditorScreen() {
  const params = useParams({ from: '/desk/scoring/rule-sets/$ruleSetId/versions/$version/edit' })
  const version = useQuery(versionQuery(params.ruleSetId, params.version))
  const signals = useQuery(signalsQuery)
  return (
    <Page
      title={`Edit version ${params.version}`}
      lead="Editing changes no score. The sentences and the results update while you type. Save the draft when you are done."
      back={
        <BackLink to="/scoring/rule-sets/$ruleSetId/versions/$version" params={params}>
          Version {params.version}
        </BackLink>
      }
    >
      <RecordBody record={version} what="this version" lines={10} isPage={false}>
        {(loaded) => {
          if (loaded.state !== 'draft')
            return (
              <Empty title="This version is not a draft">
                Nobody can edit the rules of this version. Go back and create a new version from it.
              </Empty>
            )
          if (signals.data === undefined) return <NotLoaded read={signals} what="the signals" lines={10} />
          return (
            <RuleEditor
              key={`${params.ruleSetId} ${params.version}`}
              version={loaded}
              signals={signals.data.items.filter(({ available }) => available)}
            />
          )
        }}
      </RecordBody>
    </Page>
  )
}
