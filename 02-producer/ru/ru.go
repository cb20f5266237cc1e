// Package ru holds what the programs of module 02 say in Russian. Import it for its
// effect: the texts are registered at start.
package ru

import "brew.example/internal/msg"

func init() { msg.Add(russian) }

// What several programs of the module say; each program has a file of its own beside this.
var russian = map[string]string{}
