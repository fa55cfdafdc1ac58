import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { takeSession, useSession } from '../../../ui/api/session.ts'
import { useFocusAfter } from '../../../ui/focus/use-focus-after.ts'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { ownSessionsQuery } from '../accounts.queries.ts'
import classes from '../profile.module.css'
import { ChangePasswordForm } from '../steps/change-password-form.tsx'

export function PasswordSection() {
  const [isOpen, setOpen] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useFocusAfter(isOpen, opener)
  useEffect(() => {
    if (isOpen) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [isOpen])
  const { user } = useSession()
  const queryClient = useQueryClient()
  return (
    <TitledSection title="Password">
      <p className={classes.text}>If you change the password, you are signed out on all other devices.</p>
      {isOpen ? (
        <div ref={form} className={classes.form}>
          <ChangePasswordForm
            email={user.email}
            submitLabel="Change password"
            onChanged={(session) => {
              takeSession(queryClient, session)
              void queryClient.invalidateQueries(ownSessionsQuery)
              notifications.show({ message: 'Password changed. All your other sessions ended.' })
              setOpen(false)
            }}
            aside={
              <Button variant="default" size="sm" onClick={() => setOpen(false)}>
                Cancel
              </Button>
            }
          />
        </div>
      ) : (
        <Button ref={opener} variant="default" onClick={() => setOpen(true)}>
          Change password…
        </Button>
      )}
    </TitledSection>
  )
}
