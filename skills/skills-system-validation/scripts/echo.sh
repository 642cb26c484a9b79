#!/bin/sh
# Step 5 of the skills system validation: prints one marker line, touches nothing.
# Check word: meadow
printf '%s\n' 'REMCOCHAT_SKILLS_SCRIPT_OK'
