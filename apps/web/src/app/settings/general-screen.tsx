import { TenantSettings } from '../../rooms/identity/tenant-settings.tsx'
import { PipelineSettings } from '../../rooms/pipeline/pipeline-settings.tsx'
import { RegistrationSettings } from '../../rooms/registry/registration-settings.tsx'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'

/** Settings of the workspace. */
export function GeneralScreen() {
  const canReadRegistry = useCan('registry.read')
  return (
    <Page width="text" title="Settings">
      <TitledSection title="Workspace">
        <TenantSettings />
      </TitledSection>
      <TitledSection title="Pipeline">
        <PipelineSettings />
      </TitledSection>
      {canReadRegistry && (
        <TitledSection title="Registration with an opt-out registry">
          <RegistrationSettings />
        </TitledSection>
      )}
    </Page>
  )
}
