import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    lead: 'A role is a set of permissions (scopes) for your APIs. You assign roles to users and services.',
    apis: 'APIs',
    newRole: 'New role',
    newApi: 'New API',
    indicator: 'Identifier',
    indicatorHint:
      'An absolute URI, such as https://api.example.com. Applications send it as the “resource” parameter, and it becomes the audience of the tokens.',
    accessTokenTtl: 'Token lifetime (seconds)',
    permissions: 'Permissions',
    permissionsLead:
      'Tokens for this API include the permissions that the user or service has through roles.',
    rolePermissions: 'Users and services with this role have these permissions.',
    assignBuiltIn: 'Built-in permissions: {api}',
    askPermission: 'Add {permission} to {role}?',
    askPermissionLead:
      'Everyone with this role gets this permission for Vestibule itself. Services that gain it get a new secret. The change takes effect when you save it.',
    newPermission: 'New permission',
    permission: 'Permission',
    permissionHint: 'No spaces. For example, orders:read.',
    builtIn: 'Built-in',
    assign: 'Permissions for {api}',
    isAbove: 'This role has permissions that your roles don’t, so only an owner can change it.',
    noApis: 'You don’t have any APIs yet. Every permission belongs to an API.',
    deleteRole: 'Delete the role {name}?',
    deleteRoleLead:
      'Users and services lose this role’s permissions when they get their next token. You can’t undo this.',
    deleteApi: 'Delete the API {name}?',
    deleteApiLead:
      'Its permissions are deleted too. Tokens that we’ve already issued stay valid until they expire. You can’t undo this.',
    deletePermission: 'Delete the permission {name}?',
    deletePermissionLead: 'It’s removed from all roles. You can’t undo this.',
    members: 'Users with this role',
    services: 'Services with this role',
    servicesLead:
      'Only machine-to-machine applications get permissions from roles. Other applications act for users.',
    noServices: 'No service has this role yet.',
    noMachines: 'There’s no other machine-to-machine application to give it to.',
    newMachine: 'Create an application',
    addService: 'Add a service',
    chooseService: 'Choose a service',
    giveToService: 'Give it to the service',
    newestOffered:
      'Only services among your {count} newest applications are listed. For others, open their page.',
    serviceAdded: '{name} now has this role',
    serviceRemoved: '{name} no longer has this role',
    nobody: 'No users have this role. You can assign it on a user’s page.',
    administrators: 'Administrators',
    noAdministrators: 'Nobody has this role yet.',
    inviteLead:
      'The link works once and expires after ten minutes, so make sure the person is ready. You can generate a new one at any time.',
    inviteMake: 'Generate a link',
    inviteLink: 'Link',
    inviteMade:
      'Send this link to the person. It works once, until {time}. It creates an account with the role or adds the role to an existing account. We won’t show it again; if it expires or gets lost, generate a new one.',
    email: 'Email address (optional)',
    emailHint: 'We prefill it if the person creates an account. We don’t send a message.',
    internal: 'This is an administrator role. You can’t change its name or permissions.',
  },
  de: {
    lead: 'Eine Rolle ist eine Menge von Berechtigungen (Scopes) Ihrer APIs. Rollen weisen Sie Benutzern und Diensten zu.',
    apis: 'APIs',
    newRole: 'Neue Rolle',
    newApi: 'Neue API',
    indicator: 'Bezeichner',
    indicatorHint:
      'Eine absolute URI, etwa https://api.example.com. Anwendungen senden sie im Parameter „resource“, und sie wird zur Audience der Tokens.',
    accessTokenTtl: 'Gültigkeit eines Tokens in Sekunden',
    permissions: 'Berechtigungen',
    permissionsLead:
      'Tokens für diese API enthalten die Berechtigungen, die der Benutzer oder Dienst durch seine Rollen hat.',
    rolePermissions: 'Benutzer und Dienste mit dieser Rolle haben diese Berechtigungen.',
    assignBuiltIn: 'Eingebaute Berechtigungen: {api}',
    askPermission: '{permission} zur Rolle {role} hinzufügen?',
    askPermissionLead:
      'Alle mit dieser Rolle erhalten diese Berechtigung für Vestibule selbst. Dienste, die sie dadurch neu erhalten, bekommen ein neues Secret. Die Änderung gilt, sobald Sie sie speichern.',
    newPermission: 'Neue Berechtigung',
    permission: 'Berechtigung',
    permissionHint: 'Ohne Leerzeichen, etwa orders:read.',
    builtIn: 'Eingebaut',
    assign: 'Berechtigungen von {api}',
    isAbove: 'Diese Rolle hat Berechtigungen, die Ihre Rollen nicht haben. Nur ein Inhaber kann sie ändern.',
    noApis: 'Sie haben noch keine eigene API. Berechtigungen gehören zu APIs.',
    deleteRole: 'Die Rolle {name} löschen?',
    deleteRoleLead:
      'Benutzer und Dienste verlieren mit dem nächsten Token die Berechtigungen dieser Rolle. Das lässt sich nicht rückgängig machen.',
    deleteApi: 'Die API {name} löschen?',
    deleteApiLead:
      'Ihre Berechtigungen werden mit gelöscht. Bereits ausgestellte Tokens gelten bis zu ihrem Ablauf. Das lässt sich nicht rückgängig machen.',
    deletePermission: 'Die Berechtigung {name} löschen?',
    deletePermissionLead: 'Sie wird aus allen Rollen entfernt. Das lässt sich nicht rückgängig machen.',
    members: 'Benutzer mit dieser Rolle',
    services: 'Dienste mit dieser Rolle',
    servicesLead:
      'Nur Anwendungen der Art „Maschine zu Maschine“ erhalten Berechtigungen durch Rollen. Andere handeln für Benutzer.',
    noServices: 'Noch kein Dienst hat diese Rolle.',
    noMachines: 'Es gibt keine weitere Anwendung der Art „Maschine zu Maschine“, der Sie sie geben könnten.',
    newMachine: 'Anwendung erstellen',
    addService: 'Weiterer Dienst',
    chooseService: 'Dienst wählen',
    giveToService: 'Dem Dienst zuweisen',
    newestOffered:
      'Aufgeführt sind nur Dienste unter Ihren {count} neuesten Anwendungen. Öffnen Sie für andere deren Seite.',
    serviceAdded: '{name} hat jetzt diese Rolle',
    serviceRemoved: '{name} hat diese Rolle nicht mehr',
    nobody: 'Kein Benutzer hat diese Rolle. Sie können sie auf der Seite eines Benutzers zuweisen.',
    administrators: 'Administratoren',
    noAdministrators: 'Noch hat niemand diese Rolle.',
    inviteLead:
      'Der Link gilt einmal und zehn Minuten lang: Die Person sollte bereit sein. Ein neuer lässt sich jederzeit erzeugen.',
    inviteMake: 'Link erzeugen',
    inviteLink: 'Link',
    inviteMade:
      'Schicken Sie der Person diesen Link. Er gilt einmal, bis {time}. Er erstellt ein Konto oder gibt einem vorhandenen die Rolle. Er wird nicht noch einmal angezeigt; ist er abgelaufen oder verloren, erzeugen Sie einen neuen.',
    email: 'E-Mail-Adresse (optional)',
    emailHint: 'Ist schon ausgefüllt, wenn die Person ein Konto erstellt. Es wird keine Nachricht gesendet.',
    internal: 'Das ist eine Rolle für Administratoren. Name und Berechtigungen lassen sich nicht ändern.',
  },
})
