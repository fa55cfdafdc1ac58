import { TenantSettings } from '../../rooms/identity/tenant-settings.tsx'
import { PipelineSettings } from '../../rooms/pipeline/pipeline-settings.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'

/** Settings of the workspace. */
export function GeneralScreen() {
  return (
    <Page width="text" title="Settings">
      <TitledSection title="Workspace">
        <TenantSettings />
      </TitledSection>
      <TitledSection title="Pipeline">
        <PipelineSettings />
      </TitledSection>
    </Page>
  )
}
