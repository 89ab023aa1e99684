-- Applications that exist keep their users signed in for 14 days after an authorization, as before (ADR-0176). New ones
-- have the default of 90 days. By hand, because drizzle-kit writes no rows.
UPDATE `applications` SET `custom_client_metadata` = json_set(`custom_client_metadata`, '$.refreshTokenMaxTtl', 1209600);
