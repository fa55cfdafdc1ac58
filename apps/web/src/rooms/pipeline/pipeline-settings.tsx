import { Alert, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Pipeline } from '@prospect/api-client'
import { configurePipeline } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { pipelineQuery } from '../../ui/prospects/pipeline-query.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { countWords } from '../../ui/text/count-words.ts'
import classes from './pipeline-settings.module.css'

type Option = { key: keyof Pipeline['configuration']; state: 'paused' | 'disqualified'; label: string; text: string }

const options: Option[] = [
  {
    key: 'pausedEnabled',
    state: 'paused',
    label: 'Use “Paused”',
    text: 'For prospects to come back to later. Available from every open state, with a reason.',
  },
  {
    key: 'disqualifiedEnabled',
    state: 'disqualified',
    label: 'Use “Disqualified”',
    text: 'For prospects that do not fit. Available from every open state, with a reason.',
  },
]

/** Pipeline settings of the tenant. */
export function PipelineSettings() {
  const pipeline = useQuery(pipelineQuery)
  const canConfigure = useCan('pipeline.configure')
  const queryClient = useQueryClient()
  // Settings that were requested but not yet confirmed. They are shown until the server responds.
  const [asked, setAsked] = useState<Partial<Pipeline['configuration']> | null>(null)
  const save = useMutation({
    meta: { notDone: 'Change pipeline' },
    mutationFn: ({ version, option, isOn }: { version: number; option: Option; isOn: boolean }) =>
      dataOf(configurePipeline({ body: { [option.key]: isOn }, ...ifMatch(version) })),
    onSuccess: (saved, { option, isOn }) => {
      queryClient.setQueryData(pipelineQuery.queryKey, saved)
      notifications.show({ message: `Saved: “${pipelineStateName(option.state)}” is ${isOn ? 'on' : 'off'}.` })
    },
    onError: () => queryClient.invalidateQueries(pipelineQuery),
    onSettled: () => setAsked(null),
  })
  if (pipeline.isPending) return <LoadingLines lines={4} />
  if (!pipeline.data) return <Failed error={pipeline.error} retry={() => void pipeline.refetch()} what="the settings" />
  const { version, configuration, states } = pipeline.data
  return (
    <div>
      <p className={classes.lead}>
        Two optional states for prospects that you stop working on. A prospect can return from here to its earlier
        state, with a reason.
        {canConfigure ? ' Changes are saved immediately.' : ' Only administrators can change this.'}
      </p>
      {options.map((option) => {
        const { key, state, label, text } = option
        const count = states.find((one) => one.state === state)?.count ?? 0
        return (
          <div key={key} className={classes.option}>
            <Switch
              label={label}
              description={text}
              checked={asked?.[key] ?? configuration[key]}
              disabled={!canConfigure}
              onChange={(event) => {
                // Ignore the click instead of disabling the switch, because a disabled switch loses the keyboard focus.
                if (asked !== null) return
                const isOn = event.currentTarget.checked
                setAsked({ [key]: isOn })
                save.mutate({ version, option, isOn })
              }}
            />
            {count > 0 && (
              <p className={classes.count}>
                <Link to="/prospects" search={{ state }}>
                  {countWords(count, 'prospect is', 'prospects are')} {state} now
                </Link>
                .
                {!configuration[key] &&
                  ' These prospects stay in this state and can be reopened. No other prospect can enter it.'}
              </p>
            )}
          </div>
        )
      })}
      {save.isError && (
        <Alert color="red" variant="outline" title="Not changed">
          {isProblem(save.error, 'version_conflict')
            ? 'Someone else changed these settings first. Check the current settings and choose again.'
            : sentenceOf(save.error)}
        </Alert>
      )}
    </div>
  )
}
