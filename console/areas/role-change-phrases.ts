import { phrases } from '../phrases.ts'

/** The phrases about assigning roles to users and services. */
export const roleChangePhrases = phrases({
  en: {
    anotherRole: 'Add a role',
    assignRole: 'Assign the role',
    chooseRole: 'Choose a role',
    oldSignIn: 'To assign it again, you have to sign in again, because your last sign-in was too long ago.',
    removeRole: 'Remove',
    roleAssigned: 'The role {name} was assigned',
    roleIsAbove: 'This role has permissions that your roles don’t, so you can’t assign it.',
    roleRemoved: 'The role {name} was removed',
    serviceRolesLead: 'Tokens that this service gets for an API contain the permissions of these roles.',
    noServiceRoles: 'The service has no roles yet, so its tokens contain no permissions.',
    askToAssign: 'Assign {role} to {service}?',
    permissionsOf: 'This role has permissions for the APIs of this tenant: {scopes}.',
    newSecretLead:
      'The service can do this on its own, without an administrator. It gets a new secret and its keys are removed, unless it already had these permissions, so it stops working until it uses the new secret.',
    askToRemove: 'Remove {role} from {service}?',
    removalLead:
      'The service immediately loses these permissions. If you assign the role again later, the service gets a new secret.',
  },
  de: {
    anotherRole: 'Weitere Rolle',
    assignRole: 'Rolle zuweisen',
    chooseRole: 'Rolle wählen',
    oldSignIn:
      'Um sie wieder zuzuweisen, müssen Sie sich erneut anmelden: Ihre letzte Anmeldung liegt zu lange zurück.',
    removeRole: 'Entfernen',
    roleAssigned: 'Die Rolle {name} wurde zugewiesen',
    roleIsAbove:
      'Diese Rolle hat Berechtigungen, die Ihre Rollen nicht haben. Sie können sie nicht zuweisen.',
    roleRemoved: 'Die Rolle {name} wurde entfernt',
    serviceRolesLead:
      'Tokens, die dieser Dienst für eine API erhält, enthalten die Berechtigungen dieser Rollen.',
    noServiceRoles: 'Der Dienst hat noch keine Rolle. Seine Tokens enthalten deshalb keine Berechtigungen.',
    askToAssign: '{service} die Rolle {role} zuweisen?',
    permissionsOf: 'Diese Rolle hat Berechtigungen für die APIs dieses Mandanten: {scopes}.',
    newSecretLead:
      'Der Dienst kann das selbst tun, ohne einen Administrator. Hatte er diese Berechtigungen noch nicht, erhält er ein neues Secret und seine Schlüssel werden entfernt: Er funktioniert erst wieder, wenn er das neue Secret verwendet.',
    askToRemove: '{service} die Rolle {role} entziehen?',
    removalLead:
      'Der Dienst verliert diese Berechtigungen sofort. Weisen Sie ihm die Rolle später wieder zu, erhält er ein neues Secret.',
  },
})
