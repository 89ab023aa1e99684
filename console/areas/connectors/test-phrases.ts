import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    lead: 'Leads to {name}, where you sign in with an account of yours, and back here with what came back. Nobody is signed in, and users need not see the button.',
    open: 'Test the sign-in',
    saveAndOpen: 'Save and test the sign-in',
    stays:
      'If {name} shows an error in place of its sign-in, such as “redirect_uri_mismatch”, the callback address that is registered there differs from the one in the guide.',
    succeeded: 'The test worked: {name} has answered',
    refused: 'The test did not work',
    pending: 'No answer yet',
    pendingLead:
      'The sign-in at {name} has not come back to this browser. A test counts in the browser and tab in which it was begun. Test again if you have come back already.',
    over: 'This test has expired',
    overLead: 'The result is kept for ten minutes, for whoever began the test. Test again.',
    id: 'ID',
    notTold: 'not told',
    complete: 'Everything that your sign-up asks for came back.',
    asked: 'New users are asked for this after their first sign-in: {missing}.',
    username: 'username',
    noEmail:
      'No e-mail address came back. {name} tells one only if the scope and the permissions of your application there ask for it, and it counts only if {name} has confirmed it.',
    notShown: 'Users do not see the button yet: show it on the sign-in page when you are done.',
    said: 'The provider says: {error}',
    look: 'Look again',
    cancelled: '{name} says that the sign-in was declined.',
    cancelledDo:
      'If you did not cancel it yourself: your application there may be open to test users alone, or an administrator has to allow it. The guide says where.',
    otherIssuer: 'The answer is of another issuer than the one in the settings.',
    otherIssuerDo: 'Compare “Issuer” with the discovery document of the provider.',
    sentBack: '{name} sent you back with an error.',
    sentBackDo:
      'Look the error up at the provider. “invalid_scope” is mended in the scope below, “unauthorized_client” in the settings of your application there.',
    noAnswer: '{name} did not answer, or not as agreed.',
    noAnswerDo:
      'If you have set addresses below, look whether they are right; else try again in a minute. What it said is in the log of the Worker (social_failed).',
    code: '{name} took your sign-in and then refused to hand over the account.',
    codeDo:
      'Mostly the client secret is wrong: see below what {name} says about the credentials. Else the callback address that is registered there differs from the one in the guide.',
    profile: '{name} refused to tell the profile of the account.',
    profileDo: 'Look at the scope below, and which permissions your application has there.',
    idToken: 'The ID token of {name} does not fit the settings.',
    idTokenDo: 'Compare client ID and issuer. The clock of the provider may be wrong as well.',
    response: '{name} answered something that the connector cannot read.',
    responseDo: 'Look whether the addresses below are those of the right calls, and at the profile map.',
    config: 'The stored settings are not complete.',
    configDo: 'Fill in the fields below and save.',
    gone: 'The connector was removed meanwhile.',
    goneDo: 'Install it again.',
    other: 'Something went wrong: {code}',
    otherDo: 'Try again. What happened is in the log of the Worker.',
  },
  de: {
    lead: 'Führt zu {name}, wo Sie sich mit einem eigenen Konto anmelden, und wieder hierher, mit dem, was {name} mitteilt. Niemand wird angemeldet, und Benutzer müssen den Button noch nicht sehen.',
    open: 'Anmeldung testen',
    saveAndOpen: 'Speichern und Anmeldung testen',
    stays:
      'Zeigt {name} statt der Anmeldung einen Fehler, etwa „redirect_uri_mismatch“, dann ist dort eine andere Callback-Adresse eingetragen als die in der Anleitung.',
    succeeded: 'Der Test war erfolgreich: {name} hat geantwortet',
    refused: 'Der Test war nicht erfolgreich',
    pending: 'Noch keine Antwort',
    pendingLead:
      'Die Anmeldung bei {name} ist nicht in diesen Browser zurückgekommen. Ein Test gilt nur in dem Browser und Tab, in dem er begonnen wurde. Testen Sie erneut, wenn Sie schon zurück sind.',
    over: 'Dieser Test ist abgelaufen',
    overLead:
      'Das Ergebnis wird zehn Minuten aufbewahrt, für die Person, die den Test begonnen hat. Testen Sie erneut.',
    id: 'ID',
    notTold: 'nicht mitgeteilt',
    complete: 'Es fehlt nichts, was Ihre Registrierung verlangt.',
    asked: 'Neue Benutzer werden nach der ersten Anmeldung noch danach gefragt: {missing}.',
    username: 'Benutzername',
    noEmail:
      '{name} hat keine E-Mail-Adresse mitgeteilt. Das geschieht nur, wenn Scope und Berechtigungen Ihrer Anwendung dort danach fragen, und die Adresse zählt nur, wenn {name} sie bestätigt hat.',
    notShown:
      'Benutzer sehen den Button noch nicht: Zeigen Sie ihn auf der Anmeldeseite an, wenn Sie fertig sind.',
    said: 'Der Anbieter sagt: {error}',
    look: 'Erneut nachsehen',
    cancelled: 'Laut {name} wurde die Anmeldung abgelehnt.',
    cancelledDo:
      'Falls Sie nicht selbst abgebrochen haben: Vielleicht steht Ihre Anwendung dort nur Testbenutzern offen, oder ein Administrator muss sie erlauben. Die Anleitung sagt, wo.',
    otherIssuer: 'Die Antwort stammt von einem anderen Issuer als dem eingestellten.',
    otherIssuerDo: 'Vergleichen Sie „Issuer“ mit dem Discovery-Dokument des Anbieters.',
    sentBack: '{name} hat Sie mit einem Fehler zurückgeschickt.',
    sentBackDo:
      'Schlagen Sie den Fehler beim Anbieter nach. „invalid_scope“ wird unten beim Scope behoben, „unauthorized_client“ in den Einstellungen Ihrer Anwendung dort.',
    noAnswer: '{name} hat nicht geantwortet, oder nicht wie vereinbart.',
    noAnswerDo:
      'Falls Sie unten Adressen eingestellt haben, prüfen Sie, ob sie stimmen; sonst versuchen Sie es in einer Minute erneut. Was der Anbieter sagte, steht im Protokoll des Workers (social_failed).',
    code: '{name} hat Ihre Anmeldung angenommen und dann die Herausgabe des Kontos abgelehnt.',
    codeDo:
      'Meist stimmt das Client-Secret nicht: Unten steht, was {name} zu den Zugangsdaten sagt. Sonst ist dort eine andere Callback-Adresse eingetragen als die in der Anleitung.',
    profile: '{name} lehnt es ab, das Profil des Kontos herauszugeben.',
    profileDo: 'Prüfen Sie unten den Scope, und welche Berechtigungen Ihre Anwendung dort hat.',
    idToken: 'Das ID-Token von {name} passt nicht zu den Einstellungen.',
    idTokenDo: 'Vergleichen Sie Client-ID und Issuer. Auch die Uhr des Anbieters kann falsch gehen.',
    response: '{name} hat etwas geantwortet, das der Konnektor nicht lesen kann.',
    responseDo:
      'Prüfen Sie, ob die Adressen unten zu den richtigen Aufrufen führen, und die Profilzuordnung.',
    config: 'Die gespeicherten Einstellungen sind nicht vollständig.',
    configDo: 'Füllen Sie die Felder unten aus und speichern Sie.',
    gone: 'Der Konnektor wurde inzwischen entfernt.',
    goneDo: 'Installieren Sie ihn erneut.',
    other: 'Etwas ging schief: {code}',
    otherDo: 'Versuchen Sie es erneut. Was geschehen ist, steht im Protokoll des Workers.',
  },
})
