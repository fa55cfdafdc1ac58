import { IconCheck, IconSelector } from '@tabler/icons-react'
import { roleName } from '../../rooms/identity/role-names.ts'
import { useSwitchTenant } from '../../rooms/identity/use-switch-tenant.ts'
import { useSession } from '../../ui/api/session.ts'
import { useOpener } from '../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../ui/layout/menu.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './shell.module.css'

/** Which tenant this page works in; with several, the way to another. */
export function TenantMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { tenant, tenants } = useSession()
  const { switchTo, isSwitching } = useSwitchTenant()
  const { button, floating } = useOpener('menu')
  const face = (
    <>
      <span className={classes.tenantSign} aria-hidden>
        {initialsOf(tenant.name)}
      </span>
      <span className={isCollapsed ? 'pp-visually-hidden' : classes.tenantName}>
        <Name of={tenant.name} />
      </span>
    </>
  )
  if (tenants.length < 2) return <div className={classes.tenant}>{face}</div>
  return (
    <>
      <button type="button" className={classes.tenant} disabled={isSwitching} title={nameText(tenant.name)} {...button}>
        {face}
        <span className="pp-visually-hidden">, switch tenant</span>
        {!isCollapsed && <IconSelector size={15} stroke={1.6} aria-hidden />}
      </button>
      {floating !== null && (
        <FloatingMenu {...floating} width={260} position="bottom-start">
          {(Menu) => (
            <>
              <Menu.Label>Switch tenant</Menu.Label>
              {tenants.map((other) => (
                <Menu.Item
                  key={other.id}
                  onClick={() => other.id !== tenant.id && switchTo(other.id)}
                  rightSection={other.id === tenant.id ? <IconCheck size={15} aria-label="current" /> : null}
                >
                  <span className={classes.tenantOption}>
                    <Name of={other.name} />
                  </span>
                  <span className={classes.tenantRole}>{roleName(other.role)}</span>
                </Menu.Item>
              ))}
            </>
          )}
        </FloatingMenu>
      )}
    </>
  )
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}|^\d/u.test(word))
  const first = words[0]?.[0] ?? '?'
  return (first + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toUpperCase()
}
