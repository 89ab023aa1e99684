import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    lead: 'Each tenant has its own users, applications, settings, keys and hosts. They all run in this deployment.',
    tenant: 'Tenant',
    noHost: 'No host yet',
    operators: 'this tenant',
    open: 'Open the console of {id}',
    openShort: 'Console',
    new: 'New tenant',
    id: 'ID',
    idHint:
      'Up to 21 lowercase letters, digits and hyphens. It’s part of the host name if HOSTS has a wildcard. If you leave this empty, we’ll generate an ID.',
    made: 'Tenant {id} was created',
    link: 'Link for the first administrator',
    linkLead:
      'You can use the link once, until {time}. Open it yourself in another browser, or send it to the person who’ll administer the tenant.',
    hosts: 'HOSTS',
    hostsLead: 'No host points to this tenant yet. Add one to HOSTS in wrangler.local.toml, then deploy.',
    application: 'For scripts and settings as code',
    applicationLead:
      'An application that can administer the tenant on its own. We won’t show the secret again.',
    deleteOne: 'Delete {id}',
    deleteTitle: 'Delete the tenant {id}?',
    deleteLead:
      'The tenant stops working immediately, and we delete all its users, applications, settings, keys and logs. You can’t undo this. Deleting a large tenant takes several steps; the scheduled run deletes what’s left.',
    deleted: 'Tenant {id} was deleted',
    deletedPartly: 'Tenant {id} no longer works; the scheduled run deletes what’s left',
    uploadsLeft:
      'Tenant {id} was deleted, but its storage refused to delete the uploads. We’ll keep trying for an hour; after that, delete them there yourself.',
  },
  de: {
    lead: 'Jeder Mandant hat eigene Benutzer, Anwendungen, Einstellungen, Schlüssel und Hosts. Alle laufen in dieser Installation.',
    tenant: 'Mandant',
    noHost: 'Noch kein Host',
    operators: 'dieser Mandant',
    open: 'Konsole von {id} öffnen',
    openShort: 'Konsole',
    new: 'Neuer Mandant',
    id: 'ID',
    idHint:
      'Kleinbuchstaben, Ziffern und Bindestriche, höchstens 21. Sie wird Teil des Hostnamens, wenn HOSTS einen Platzhalter hat. Bleibt das Feld leer, wird eine ID erzeugt.',
    made: 'Der Mandant {id} wurde erstellt',
    link: 'Link für den ersten Administrator',
    linkLead:
      'Er gilt einmal, bis {time}. Öffnen Sie ihn selbst in einem anderen Browser, oder schicken Sie ihn der Person, die den Mandanten verwaltet.',
    hosts: 'HOSTS',
    hostsLead:
      'Noch führt kein Host zu dem Mandanten. Fügen Sie HOSTS in wrangler.local.toml einen hinzu und stellen Sie neu bereit.',
    application: 'Für Skripte und Einstellungen als Code',
    applicationLead:
      'Eine Anwendung, die den Mandanten selbst verwalten kann. Das Secret wird nicht noch einmal angezeigt.',
    deleteOne: '{id} löschen',
    deleteTitle: 'Den Mandanten {id} löschen?',
    deleteLead:
      'Der Mandant funktioniert sofort nicht mehr, und alle seine Benutzer, Anwendungen, Einstellungen, Schlüssel und Protokolle werden gelöscht. Das lässt sich nicht rückgängig machen. Große Mandanten brauchen mehrere Schritte; den Rest löscht der geplante Lauf.',
    deleted: 'Der Mandant {id} wurde gelöscht',
    deletedPartly: 'Der Mandant {id} funktioniert nicht mehr; den Rest löscht der geplante Lauf',
    uploadsLeft:
      'Der Mandant {id} wurde gelöscht, aber sein Speicher hat das Löschen der hochgeladenen Dateien abgelehnt. Wir versuchen es eine Stunde lang weiter; danach löschen Sie sie dort selbst.',
  },
})
