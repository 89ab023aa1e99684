import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    lead: 'A tenant has users, applications, settings, keys and hosts of its own. All of them are in this deployment.',
    tenant: 'Tenant',
    noHost: 'No host leads here',
    operators: 'this tenant',
    actions: 'Actions',
    open: 'Console of {id}',
    openShort: 'Console',
    new: 'New tenant',
    id: 'Id',
    idHint:
      'Lower-case letters, digits and hyphens, at most 21. It is part of the host name where HOSTS has a wildcard. Left empty, one is made.',
    made: 'The tenant {id} is created',
    link: 'Link for its first administrator',
    linkLead:
      'It works once, until {time}. Open it yourself in another browser, or send it to the person who administers the tenant.',
    hosts: 'HOSTS',
    hostsLead: 'No host leads to the tenant yet. Add one to HOSTS in wrangler.toml, and deploy.',
    application: 'For scripts and settings as code',
    applicationLead: 'An application that administers the tenant by itself. The secret is shown this once.',
    deleteOne: 'Delete {id}',
    deleteTitle: 'Delete the tenant {id}?',
    deleteLead:
      'It ends at once, with all its users, applications, settings, keys and logs. This cannot be undone. Large tenants take several steps; the scheduled run deletes what is left.',
    deleted: 'The tenant {id} is deleted',
    deletedPartly: 'The tenant {id} has ended; the scheduled run deletes what is left',
    uploadsLeft:
      'The tenant {id} is deleted, but its storage refused to delete the uploads. It is tried again for an hour; delete them there otherwise.',
  },
  de: {
    lead: 'Ein Mandant hat eigene Benutzer, Anwendungen, Einstellungen, Schlüssel und Hosts. Alle sind in dieser Installation.',
    tenant: 'Mandant',
    noHost: 'Kein Host führt hierher',
    operators: 'dieser Mandant',
    actions: 'Aktionen',
    open: 'Konsole von {id}',
    openShort: 'Konsole',
    new: 'Neuer Mandant',
    id: 'ID',
    idHint:
      'Kleinbuchstaben, Ziffern und Bindestriche, höchstens 21. Sie wird Teil des Hostnamens, wenn HOSTS einen Platzhalter hat. Bleibt das Feld leer, wird eine ID erzeugt.',
    made: 'Der Mandant {id} ist erstellt',
    link: 'Link für den ersten Administrator',
    linkLead:
      'Er gilt einmal, bis {time}. Öffnen Sie ihn selbst in einem anderen Browser, oder schicken Sie ihn der Person, die den Mandanten verwaltet.',
    hosts: 'HOSTS',
    hostsLead:
      'Noch führt kein Host zu dem Mandanten. Fügen Sie HOSTS in wrangler.toml einen hinzu und stellen Sie neu bereit.',
    application: 'Für Skripte und Einstellungen als Code',
    applicationLead:
      'Eine Anwendung, die den Mandanten selbst verwaltet. Das Secret wird nur dieses Mal angezeigt.',
    deleteOne: '{id} löschen',
    deleteTitle: 'Den Mandanten {id} löschen?',
    deleteLead:
      'Er endet sofort, mit allen Benutzern, Anwendungen, Einstellungen, Schlüsseln und Protokollen. Das lässt sich nicht rückgängig machen. Große Mandanten brauchen mehrere Schritte; den Rest löscht der geplante Lauf.',
    deleted: 'Der Mandant {id} ist gelöscht',
    deletedPartly: 'Der Mandant {id} ist beendet; den Rest löscht der geplante Lauf',
    uploadsLeft:
      'Der Mandant {id} ist gelöscht, aber sein Speicher hat das Löschen der hochgeladenen Dateien abgelehnt. Es wird eine Stunde lang weiter versucht; löschen Sie sie sonst dort.',
  },
})
