import { PageHeader } from '../../ui/page-header.tsx'

export function SourcesScreen() {
  return <PageHeader title="Sources" />
}
