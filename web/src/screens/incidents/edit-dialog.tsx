import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { IncidentDetail } from '../../api/incidents.ts'
import { uiText } from '../../ui/ui.text.ts'
import { ActDialog, ActForm } from './act-dialog.tsx'
import { SEVERITIES } from './incidents.search.ts'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.edit
/** Source: src/domains/incidents/incidents.model.ts. */
const TITLE_MAX_CHARACTERS = 200

/** Changes title and severity. */
export function EditDialog({ incident, open, onClose }: { incident: IncidentDetail; open: boolean; onClose: () => void }) {
  return (
    <ActDialog asked={open ? incident.id : undefined} title={() => text.title} onClose={onClose}>
      {() => <EditForm incident={incident} onClose={onClose} />}
    </ActDialog>
  )
}

function EditForm({ incident, onClose }: { incident: IncidentDetail; onClose: () => void }) {
  const [base] = useState(incident)
  const [title, setTitle] = useState(base.title)
  const [severity, setSeverity] = useState(base.severity)
  const changes = { ...(title === base.title ? {} : { title }), ...(severity === base.severity ? {} : { severity }) }
  const isChanged = Object.keys(changes).length > 0
  return (
    <ActForm
      incident={incident}
      submit={text.submit}
      reason={title.trim() === '' ? text.needsTitle : isChanged ? true : text.unchanged}
      actOn={(version) => ({ do: 'edit', body: { version, ...changes } })}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <TextInput
            data-autofocus
            label={text.name}
            maxLength={TITLE_MAX_CHARACTERS}
            autoComplete="off"
            value={title}
            error={faultAt('title')}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <NativeSelect
            size="xs"
            label={text.severity}
            value={severity}
            error={faultAt('severity')}
            data={SEVERITIES.map((name) => ({ value: name, label: uiText.severity[name] }))}
            onChange={({ currentTarget: { value } }) => setSeverity(SEVERITIES.find((name) => name === value) ?? severity)}
          />
        </>
      )}
    </ActForm>
  )
}
