import { Button, Menu } from '@mantine/core'
import type { JobKinds } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useIdempotencyKey } from '../../ui/idempotency.ts'
import { startJob } from './jobs.queries.ts'

type Kind = JobKinds['items'][number]

/** Starts a job of a kind that the person may create; nothing where there is none. */
export function NewJob({ kinds }: { kinds: readonly Kind[] }) {
  const [chosen, setChosen] = useState<Kind | null>(null)
  const offered = kinds.filter(({ isOffered }) => isOffered)
  if (offered.length === 0) return null
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}>New job</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((kind) => (
            <Menu.Item key={kind.kind} onClick={() => setChosen(kind)}>
              {kind.title}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen !== null && <StartDialog kind={chosen} close={() => setChosen(null)} />}
    </>
  )
}

function StartDialog({ kind, close }: { kind: Kind; close: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { keyFor, done } = useIdempotencyKey()
  const start = useMutation({
    mutationFn: () => startJob(kind.kind, keyFor(kind.kind)),
    onSuccess: async ({ id }) => {
      done()
      void queryClient.invalidateQueries({ queryKey: ['jobs'] })
      await navigate({ to: '/jobs/$jobId', params: { jobId: id } })
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={kind.title}
      confirmLabel="Start"
      isBusy={start.isPending}
      error={start.error}
      onConfirm={() => start.mutate()}
      onClose={close}
    >
      <p>{kind.touches}</p>
      <p>
        It runs in the background under your name.{' '}
        {kind.isCancellable ? 'It can be cancelled at any time.' : 'Once it runs it cannot be stopped.'}
      </p>
    </ConfirmDialog>
  )
}
