import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'

/** The setup steps, fields and common mistakes for a service that the operator runs. */
export const customServiceSteps = `2. Der Dienst muss innerhalb von fünf Sekunden mit 2xx antworten, sobald er die Nachricht angenommen hat.
3. Der Dienst muss das Token oder, besser, die Signatur prüfen: Der Inhalt enthält Codes, mit denen man sich anmelden kann.

Die Felder:

- **Adresse** (\`endpoint\`): die Adresse des Dienstes, mit \`https\`.
- **Authentifizierung** (\`authentication\`): \`Bearer\` sendet das Secret als Token, \`Hmac\` signiert damit, und \`None\` tut beides nicht.
- **Token oder Signaturschlüssel** (\`secret\`): mindestens 32 zufällige Zeichen.

Häufige Fehler:

- Der Dienst antwortet mit einer Weiterleitung. Ihr wird nicht gefolgt.
- Außerhalb der Entwicklung werden private Adressen abgelehnt, es sei denn, der Mandant erlaubt private Ziele.`

/** The German setup guides for email services. */
export const messageGuides = {
  'simple-mail-transfer-protocol': `Funktioniert mit jedem Mailserver, der Mails nach einer Anmeldung über [SMTP](https://datatracker.ietf.org/doc/html/rfc5321) annimmt: dem Ihres Anbieters oder Ihrem eigenen.

1. Suchen Sie den Server für ausgehende Mails („Submission“), seinen Port und wie TLS beginnt. Worker können Port 25 nicht benutzen.
2. Legen Sie Zugangsdaten nur für diesen Zweck an. Gmail und Microsoft 365 verlangen ein App-Passwort oder eine Freigabe für SMTP.
3. Nehmen Sie den Server in den SPF-Eintrag der Absenderdomain auf und signieren Sie mit DKIM. \`npm run doctor\` zeigt, was fehlt.

Die Felder:

- **Host** (\`host\`): zum Beispiel \`smtp.example.com\`.
- **Port** (\`port\`): 587 mit STARTTLS oder 465 mit **TLS von Anfang an** (\`secure\`).
- **Benutzername** (\`auth.user\`) und **Passwort** (\`auth.pass\`): die Zugangsdaten aus Schritt 2.
- **Absenderadresse** (\`fromEmail\`): eine Adresse, von der Sie mit diesen Zugangsdaten senden dürfen; \`Example <no-reply@example.com>\` fügt einen Namen hinzu.

Häufige Fehler:

- Keine Antwort: Port 465 ohne *TLS von Anfang an*, oder 587 damit.
- *535*: Sie haben das Passwort des Postfachs statt eines App-Passworts eingegeben.
- Der Name im Zertifikat weicht vom Host ab: Geben Sie ihn unter *Name im Zertifikat* ein.`,

  'sendgrid-email-service': `Sie brauchen ein Konto bei [Twilio SendGrid](https://app.sendgrid.com/settings/api_keys).

1. Authentifizieren Sie unter *Settings*, *Sender Authentication* die Domain, von der Sie senden, und tragen Sie ihre DNS-Einträge ein.
2. Erstellen Sie unter *Settings*, *API Keys* einen Schlüssel mit **Restricted Access** und vollem Zugriff auf *Mail Send*.
3. Kopieren Sie den Schlüssel. Er wird nur einmal angezeigt.

Die Felder:

- **API-Schlüssel** (\`apiKey\`): Er beginnt mit \`SG.\`.
- **Absenderadresse** (\`fromEmail\`): eine Adresse der authentifizierten Domain oder ein bestätigter einzelner Absender.

Häufige Fehler:

- *403 The from address does not match a verified Sender Identity*: Die Domain ist nicht authentifiziert.
- *401*: Der Schlüssel wurde gelöscht, oder Sie haben seine ID kopiert.
- Ein Konto in der EU-Region hat eine andere Adresse: Geben Sie \`https://api.eu.sendgrid.com/v3/mail/send\` als Endpunkt ein.`,

  'mailgun-email': `Sie brauchen ein Konto bei [Mailgun](https://app.mailgun.com/mg/sending/domains).

1. Fügen Sie eine Absenderdomain wie \`mg.example.com\` mit ihren DNS-Einträgen hinzu. Warten Sie, bis sie bestätigt ist.
2. Erstellen Sie bei der Domain einen **Sending Key**. Damit lässt sich nur senden, und nur für diese Domain.

Die Felder:

- **API-Schlüssel** (\`apiKey\`): der Sending Key oder der Schlüssel des Kontos.
- **Domain** (\`domain\`): genauso geschrieben wie bei Mailgun.
- **Region** (\`region\`): wo die Domain angelegt wurde, \`US\` oder \`EU\`. Eine Domain lässt sich nicht verschieben.
- **Absenderadresse** (\`fromEmail\`): eine Adresse der Domain.

Häufige Fehler:

- *401* mit einem gültigen Schlüssel: Wählen Sie die andere Region.
- Die Sandbox-Domain sendet nur an Adressen, die dem zugestimmt haben.
- *404*: Die Domain ist falsch geschrieben oder wurde gelöscht.`,

  'postmark-email': `Sie brauchen ein Konto bei [Postmark](https://account.postmarkapp.com/servers).

1. Fügen Sie unter *Sender Signatures* Ihre Domain mit ihren DNS-Einträgen hinzu (DKIM und Return-Path).
2. Erstellen oder öffnen Sie einen Server, und öffnen Sie dort *API Tokens*.
3. Beantragen Sie die Freigabe des Kontos. Bis dahin können Sie nur an Ihre eigene Domain senden.

Die Felder:

- **Server-API-Token** (\`serverToken\`): das Token des Servers, nicht das des Kontos.
- **Absenderadresse** (\`fromEmail\`): eine Adresse der bestätigten Domain oder Signatur.
- **Message Stream** (\`messageStream\`): Voreingestellt ist \`outbound\`. Es muss ein Stream für transaktionale Mails sein.

Häufige Fehler:

- *ErrorCode 412*: Das Konto ist noch nicht freigegeben.
- *ErrorCode 400*: Der Absender ist nicht bestätigt.`,

  'resend-email': `Sie brauchen ein Konto bei [Resend](https://resend.com/api-keys).

1. Fügen Sie unter *Domains* die Domain, von der Sie senden, mit ihren DNS-Einträgen hinzu, und warten Sie auf *Verified*.
2. Erstellen Sie unter *API Keys* einen Schlüssel mit **Sending access**. Sie können ihn auf diese Domain beschränken.

Die Felder:

- **API-Schlüssel** (\`apiKey\`): Er beginnt mit \`re_\` und wird nur einmal angezeigt.
- **Absenderadresse** (\`fromEmail\`): eine Adresse der bestätigten Domain.

Häufige Fehler:

- *403 You can only send testing emails to your own email address*: Die Domain ist nicht bestätigt.
- Mit einem Schlüssel für eine Domain können Sie nicht von Adressen einer anderen senden.`,

  'aws-ses-mail': `Sie brauchen ein AWS-Konto mit [Amazon SES](https://console.aws.amazon.com/ses/home).

1. Bestätigen Sie in der Region, aus der Sie senden, eine Domain-Identität (Easy DKIM) mit ihren DNS-Einträgen.
2. Beantragen Sie *Production access*: In der Sandbox können Sie nur an bestätigte Adressen senden.
3. Erstellen Sie in IAM einen Benutzer ohne Zugang zur Konsole, mit einer Richtlinie, die \`ses:SendEmail\` für diese Identität erlaubt.
4. Erstellen Sie einen Access Key für den Benutzer.

Die Felder:

- **Access Key ID** (\`accessKeyId\`) und **Secret Access Key** (\`accessKeySecret\`): aus Schritt 4. Das Secret wird nur einmal angezeigt.
- **Region** (\`region\`): zum Beispiel \`eu-central-1\`. Identitäten gehören zu einer Region.
- **Absenderadresse** (\`emailAddress\`): eine Adresse der Identität, oder **ARN der Absenderadresse** für eine Identität eines anderen Kontos.

Häufige Fehler:

- *Email address is not verified*: Die Region ist falsch, oder das Konto ist noch in der Sandbox.
- *SignatureDoesNotMatch*: Sie haben die SMTP-Zugangsdaten eingegeben; das sind andere.`,

  'aliyun-direct-mail': `Sie brauchen ein Konto bei Alibaba Cloud mit [Direct Mail](https://dm.console.aliyun.com/).

1. Fügen Sie eine Absenderdomain mit ihren DNS-Einträgen hinzu, und warten Sie, bis sie bestätigt ist.
2. Erstellen Sie eine Absenderadresse für *Triggered Emails*.
3. Erstellen Sie in [RAM](https://ram.console.aliyun.com/users) einen Benutzer für den API-Zugriff mit der Berechtigung *AliyunDirectMailFullAccess*.

Die Felder:

- **Access Key ID** (\`accessKeyId\`) und **Access Key Secret** (\`accessKeySecret\`): die des RAM-Benutzers.
- **Absenderadresse** (\`accountName\`): genau die Adresse aus Schritt 2.
- **Absendername** (\`fromAlias\`): der Name, den Empfänger daneben sehen.

Häufige Fehler:

- *InvalidMailAddress.NotFound*: Die Absenderadresse gibt es in der Region China (Hangzhou) nicht. Für eine andere Region
  geben Sie deren Endpunkt ein.
- *Forbidden.RAM*: Dem Benutzer fehlt die Berechtigung.`,

  'cloudflare-send-email': `Sendet über den [E-Mail-Dienst von Cloudflare](https://developers.cloudflare.com/email-service/) mit einem Binding des Workers und braucht deshalb keinen Schlüssel.

1. Richten Sie im Dashboard von Cloudflare die Domain ein, von der Sie senden. Ihre Zone muss im selben Konto liegen.
2. Ergänzen Sie in \`wrangler.local.toml\`: \`send_email = [{ name = "SEND_EMAIL" }]\`
3. Stellen Sie den Worker neu bereit.

Die Felder:

- **Absenderadresse** (\`fromEmail\`): eine Adresse der eingerichteten Domain.
- **Absendername** (\`fromName\`) und **Antwortadresse** (\`replyTo\`): so, wie Empfänger sie sehen.

Häufige Fehler:

- *This deployment has no send_email binding*: Schritt 2 oder 3 fehlt. Nur der Mandant \`default\` kann das Binding benutzen.
- Ein Binding mit \`destination_address\` oder \`allowed_destination_addresses\` erreicht nur diese Adressen.`,

  'http-email': `Übergibt jede Nachricht an einen eigenen HTTP-Dienst, der sie verschickt. Signaturen folgen der [Spezifikation Standard Webhooks](https://www.standardwebhooks.com/); den Inhalt beschreibt die Dokumentation dieses Konnektors.

1. Schreiben Sie einen Dienst, der eine POST-Anfrage mit JSON annimmt: \`to\`, \`type\`, \`code\`, \`language\`, \`subject\`, \`text\`, \`html\`.
${customServiceSteps}`,
} satisfies Partial<Record<MessageFactoryId, string>>
